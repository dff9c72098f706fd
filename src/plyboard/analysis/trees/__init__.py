"""Search trees, and the forms they are shown in."""
