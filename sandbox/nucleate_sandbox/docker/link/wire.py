"""The private channel as the host reads it: frames of strict JSON, bounded before a byte of them is believed."""

from __future__ import annotations

import json
import struct

from nucleate_sandbox.json_values import Json, JsonError, JsonObject, canonical, parse

HEADER = struct.Struct(">I")
FRAME_MARGIN = 64 * 1024


class Violation(Exception):
    """What came over the channel is not what the program's server would send."""


def encode(message: JsonObject) -> bytes:
    """Return a message as one frame; raise JsonError for what the caller's values cannot say in JSON."""
    try:
        data = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except (TypeError, ValueError, RecursionError) as error:
        raise JsonError(f"an argument is no JSON value: {error}") from error
    return HEADER.pack(len(data)) + data


class Frames:
    """Collects bytes and gives out whole messages."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._data = bytearray()

    def __bool__(self) -> bool:
        return bool(self._data)

    def feed(self, data: bytes) -> None:
        """Take the bytes that were read."""
        self._data += data

    def next(self) -> JsonObject | None:
        """Return the next whole message, None while there is none, or raise Violation."""
        if len(self._data) < HEADER.size:
            return None
        (length,) = HEADER.unpack_from(self._data)
        if length > self._max_bytes:
            raise Violation(f"a message of {length} bytes; the limit is {self._max_bytes}")
        if len(self._data) < HEADER.size + length:
            return None
        data = bytes(self._data[HEADER.size : HEADER.size + length])
        del self._data[: HEADER.size + length]
        return _message(data, self._max_bytes)


def _message(data: bytes, max_bytes: int) -> JsonObject:
    try:
        value = parse(data, max_bytes=max_bytes)
        canonical(value).encode("utf-8")  # finite numbers and whole characters: `1e999` and "\\ud800" parse
    except (JsonError, UnicodeError) as error:
        raise Violation(f"a message that is not JSON: {error}") from error
    if not isinstance(value, dict) or not isinstance(value.get("do"), str):
        raise Violation("a message that is no object with a 'do'")
    return value


def text(message: JsonObject, key: str) -> str:
    """Return a string of the message, or raise Violation."""
    value = message.get(key)
    if not isinstance(value, str):
        raise Violation(f"a message without {key!r}")
    return value


def table(message: JsonObject, key: str) -> JsonObject:
    """Return an object of the message, or raise Violation."""
    value: Json = message.get(key)
    if not isinstance(value, dict):
        raise Violation(f"a message without {key!r}")
    return value
