"""The web application: sockets, pages and the process that serves them."""
