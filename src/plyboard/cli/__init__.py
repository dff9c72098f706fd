"""The command line: one file per command; reads arguments, calls, prints, decides nothing."""
