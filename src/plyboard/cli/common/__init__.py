"""What several commands share: arguments, files, progress, usage errors."""
