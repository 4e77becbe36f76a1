"""Settings: what can be set, where it is read from, and a file to begin with."""
