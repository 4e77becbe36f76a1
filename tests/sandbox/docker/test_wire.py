"""Frames of the private channel, without an engine."""

from __future__ import annotations

import pytest

from nucleate_sandbox import Json
from nucleate_sandbox.docker.link.wire import Frames, Violation, encode


def test_frames_come_out_as_they_went_in_however_they_are_cut() -> None:
    messages: list[dict[str, Json]] = [{"do": "value", "value": "é"}, {"do": "call", "name": "a.b"}]
    frames, found = Frames(1000), []
    for byte in b"".join(encode(message) for message in messages):
        frames.feed(bytes([byte]))
        if (message := frames.next()) is not None:
            found.append(message)
    assert found == messages


@pytest.mark.parametrize(
    "data",
    [b"[]", b"{}", b'{"do":1}', b'{"do":"x","n":NaN}', b'{"do":"x","n":1e999}', b'{"do":"x","t":"\\udcff"}', b"\xff",
     b'{"do":"x","do":"x"}', b'{"do":"x","v":' + b"[" * 70 + b"]" * 70 + b"}", b'{"do":"x","v":' + b"[" * 90_000],
)  # fmt: skip
def test_what_is_not_a_strict_message_is_a_violation(data: bytes) -> None:
    frames = Frames(100_000)
    frames.feed(len(data).to_bytes(4, "big") + data)
    with pytest.raises(Violation):
        frames.next()


def test_a_long_frame_is_refused_before_it_has_arrived() -> None:
    frames = Frames(10)
    frames.feed(b"\0\0\0\x0b")
    with pytest.raises(Violation, match="a message of 11 bytes; the limit is 10"):
        frames.next()
