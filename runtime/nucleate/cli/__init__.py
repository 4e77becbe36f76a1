"""The command line: `nucleate`. The same verbs as the Python API."""

from nucleate.cli.app import main

__all__ = ["main"]
