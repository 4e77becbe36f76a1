"""Formats of recordings: how to tell them apart, and a reader for each."""

from nucleate_text_memory.recordings.formats.detect import FORMATS, detect, reader_for
from nucleate_text_memory.recordings.formats.reader import (
    BadLine,
    Read,
    Reader,
    RecordingSource,
    SharedReading,
    bad_line,
    ignore_tools,
)

__all__ = [
    "FORMATS",
    "BadLine",
    "Read",
    "Reader",
    "RecordingSource",
    "SharedReading",
    "bad_line",
    "detect",
    "ignore_tools",
    "reader_for",
]
