"""The text screen and its commands."""
