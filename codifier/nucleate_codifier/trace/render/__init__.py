"""Writes an explained template as the source of a typed Python function."""
