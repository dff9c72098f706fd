"""The server: games over web sockets, stored before they are acknowledged."""
