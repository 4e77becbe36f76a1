"""`nucleate ingest`: the command, what it reads, and what it counts."""
