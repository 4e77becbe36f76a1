"""Drives smolagents' DockerExecutor: run by the interpreter of an environment that has it, with the image's tag."""

from __future__ import annotations

import contextlib
import socket
import sys
from typing import Any

from smolagents.monitoring import AgentLogger, LogLevel
from smolagents.remote_executors import DockerExecutor

from evals.sandbox.peers.orders import serve, watched


class Smolagents:
    """One executor at a time. It has no time limit of its own, so a run that does not end is left behind."""

    def __init__(self, image: str) -> None:
        self._image = image
        self._executor: Any = None

    def open(self) -> dict[str, Any]:
        logger = AgentLogger(level=LogLevel.OFF)
        self._executor = DockerExecutor([], logger, image_name=self._image, build_new_image=False, port=_free_port())
        return {"container": self._executor.container.id}

    def run(self, code: str, seconds: float) -> dict[str, Any]:
        return watched(lambda answer: self._run(code, answer), seconds, "nothing (it has no time limit)")

    def _run(self, code: str, answer: dict[str, Any]) -> None:
        try:
            output = self._executor.run_code_raise_errors(code)
            answer.update(ended=True, said="output", output=str(output.logs)[-200:])
        except Exception as error:  # noqa: BLE001 - whatever the peer raises is its answer
            answer.update(ended=True, said=type(error).__name__, output=str(error)[-200:])

    def close(self) -> dict[str, Any]:
        with contextlib.suppress(Exception):
            self._executor.container.remove(force=True)
        self._executor = None
        return {}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    serve(Smolagents(sys.argv[1]))
