"""Formats of recordings: how to tell them apart, and a reader for each."""

from nucleate_text_memory.recordings.formats.detect import FORMATS, detect, reader_for
from nucleate_text_memory.recordings.formats.reader import (
    BadLine,
    Kept,
    Read,
    Reader,
    RecordingSource,
    bad_line,
    ignore_tools,
)

__all__ = [
    "FORMATS",
    "BadLine",
    "Kept",
    "Read",
    "Reader",
    "RecordingSource",
    "bad_line",
    "detect",
    "ignore_tools",
    "reader_for",
]
