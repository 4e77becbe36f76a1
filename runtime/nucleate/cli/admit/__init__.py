"""`nucleate admit`: the command, and how verdicts look."""
