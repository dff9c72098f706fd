"""The five programs that Plyboard grew from: a plug-in each, listed in `entry_points.txt`."""
