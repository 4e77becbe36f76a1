"""What became of a repository's tools, in each form that people and programs read."""
