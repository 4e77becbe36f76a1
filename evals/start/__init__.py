"""How long commands that only look take to start, and how much memory they need."""
