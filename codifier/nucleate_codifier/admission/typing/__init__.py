"""The types of a candidate, checked by mypy against stubs of what it may call."""
