"""Texts shortened to head and tail (Metis §3.5)."""

from __future__ import annotations


def shortened(text: str, most: int) -> str:
    """Return Trunc(x; h) = head ‖ … ‖ tail with the number of bytes that were left out."""
    if len(text) <= most:
        return text
    head, tail = text[: most * 2 // 3], text[-(most // 3) :]
    left_out = len(text.encode("utf-8", "replace")) - len((head + tail).encode("utf-8", "replace"))
    return f"{head}\n… {left_out:,} bytes left out …\n{tail}"
