"""Explains each argument of the aligned calls by an expression over what was known before."""
