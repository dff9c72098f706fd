"""The classes of the original programs, under their own names, as adapters over ours."""
