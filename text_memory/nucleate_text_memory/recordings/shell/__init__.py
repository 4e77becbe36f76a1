"""Commands of a shell as functions: parsed by its grammar, named by their heads, with their arguments apart."""
