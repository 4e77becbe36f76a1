"""Runs a candidate on what was recorded, and compares what it did."""
