"""Reads a candidate's source: its tree, its names, what it reaches, and which packages it declares."""
