"""`nucleate env`: its verbs, and how their answers look."""
