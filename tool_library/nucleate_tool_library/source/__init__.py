"""A tool's source, read and rewritten as a syntax tree: nothing is imported or executed."""
