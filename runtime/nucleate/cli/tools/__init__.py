"""`nucleate tools`: its verbs, one module for each kind, and how their answers look."""
