"""The desktop window: a seat for every game, drawn with Tk. It knows no rules."""
