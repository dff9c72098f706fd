"""The messages between a bot and its process."""

# A message is a kind, the number of a search, and a value. First line: from the bot; second: from
# its process.
START, PREPARE, OPEN, STOP, FORGET = "start", "prepare", "open", "stop", "forget"
SEARCHING, IMPROVED, CHOSEN, FAILED = "searching", "improved", "chosen", "failed"
