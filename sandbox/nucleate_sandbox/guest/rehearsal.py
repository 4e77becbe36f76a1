"""Goes through a call before there is one, so that the interpreter has made ready and its own what a call touches.

The server does it before it forks: its children find bytecode that has been specialised and caches that are full, and
write to fewer of the pages that they share. A child that waits does it once more: what it must copy is copied by then.
"""

from __future__ import annotations

import gc
import json
import linecache
import socket
import sys
from collections.abc import Callable
from typing import Any

from .channel import HEADER, Channel

TIMES = 32  # the interpreter specialises an instruction after it was run a few times
NAME = "rehearsal"
SOURCE = "def rehearsal(value):\n    return [env.rehearsal.call(value=value), value, str(value)]\n"
REQUEST: dict[str, Any] = {
    "modules": [{"name": NAME, "source": SOURCE}],
    "function": NAME,
    "arguments": {"value": {"text": "é", "numbers": [1, 2.5, None, True]}},
}
ANSWER = json.dumps({"value": {"text": "é"}}).encode()
MAX_BYTES = 4096


def rehearse(serve: Callable[[Channel, dict[str, Any]], None], times: int = 1) -> None:
    """Serve a program of our own, with both ends of its channel here; nothing of it stays."""
    request = json.dumps(REQUEST).encode()
    here, there = socket.socketpair()
    channel = Channel(there.fileno(), MAX_BYTES)
    for _ in range(times):
        for message in (request, ANSWER):
            here.sendall(HEADER.pack(len(message)) + message)
        serve(channel, channel.receive())
        here.recv(MAX_BYTES)
    here.close()
    there.close()
    linecache.cache.pop(f"{NAME}.py", None)
    sys.modules.pop(NAME, None)
    gc.collect()  # a module and its functions hold each other
