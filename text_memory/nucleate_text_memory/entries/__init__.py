"""Entries of the memory: admitted, written, revised, found again and handed on."""
