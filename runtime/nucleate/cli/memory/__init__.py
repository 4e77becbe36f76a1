"""`nucleate memory`: its verbs, and how their answers look."""
