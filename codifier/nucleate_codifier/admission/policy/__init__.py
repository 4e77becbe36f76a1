"""What a candidate may say at all: constructs, imports, and names that are allowed by name."""
