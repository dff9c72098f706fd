"""The messages between a bot and its process."""

# What crosses the pipe. From us: a question; from the worker: a kind, a search's number, a value.
START, PREPARE, STOP, FORGET = "start", "prepare", "stop", "forget"
SEARCHING, IMPROVED, CHOSEN, FAILED = "searching", "improved", "chosen", "failed"
