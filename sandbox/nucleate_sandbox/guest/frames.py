"""One byte stream that carries several: orders and reports, and channel and output of one program after another.

A frame's header says of which kind it is, of which program, and how long. The host's end uses this module too.
"""

from __future__ import annotations

import struct

HEADER = struct.Struct(">BII")
CONTROL, CHANNEL, OUTPUT, ERRORS, CREDIT = KINDS = range(5)
MOST = 1 << 16  # bytes in one frame
WINDOW = 1 << 18  # bytes for a program's channel that the host may send before it hears that some were delivered
COUNT = struct.Struct(">I")  # what a frame of CREDIT holds


class Broken(Exception):
    """What came is no frame."""


def header(data: bytes | bytearray | memoryview, start: int = 0) -> tuple[int, int, int]:
    """Return kind, program and length; raise Broken for what no end of ours would send."""
    kind, program, length = HEADER.unpack_from(data, start)
    if kind not in KINDS or length > MOST:
        raise Broken(f"a frame of kind {kind} with {length} bytes")
    return kind, program, length
