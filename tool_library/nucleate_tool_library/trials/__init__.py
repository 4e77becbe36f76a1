"""Versions on trial: what was tried, what it showed, and the gate that decides."""
