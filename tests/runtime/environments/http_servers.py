"""Servers on the loopback for tests: an application runs in a thread until the block ends."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn


class _Server(uvicorn.Server):
    """A server that tells when it listens."""

    def __init__(self, application: Any) -> None:
        super().__init__(uvicorn.Config(application, log_level="critical", timeout_graceful_shutdown=1, ws="none"))
        self.listening = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()


@contextmanager
def served(application: Any, port: int = 0) -> Iterator[int]:
    """Serve an ASGI application; yield its port."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        server = _Server(application)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            assert server.listening.wait(30)
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(30)
