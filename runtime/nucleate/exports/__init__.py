"""Ways out of the library: schemas for providers, tools for frameworks, and files."""
