"""Reads what models really write: one tolerant reader for every place where a model answers."""
