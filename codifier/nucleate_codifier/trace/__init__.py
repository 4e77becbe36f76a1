"""The trace codifier: recorded calls that support a plan become a Python tool, without a language model."""
