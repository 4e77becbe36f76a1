"""`nucleate run`: the command, and how a run looks."""
