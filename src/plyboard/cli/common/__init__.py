"""Code shared by several commands: arguments, files, progress, usage errors."""
