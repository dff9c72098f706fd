"""What happens in one game: events, the state they lead to, decisions and tokens."""
