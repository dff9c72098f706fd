"""The command line: one file per command. Commands parse arguments, call other code and print."""
