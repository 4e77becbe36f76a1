"""Drives llm-sandbox's Docker session: run by the interpreter of an environment that has it, with the image's tag."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

from llm_sandbox import SandboxSession

from evals.sandbox.peers.orders import serve, watched

GRACE = 5.0  # how much later than its own time limit a run may answer


class LlmSandbox:
    """One session at a time, in an image that needs no set-up: this peer's fastest way to a fresh process."""

    def __init__(self, image: str) -> None:
        self._image = image
        self._session: Any = None

    def open(self) -> dict[str, Any]:
        self._session = SandboxSession(lang="python", image=self._image, skip_environment_setup=True, workdir="/tmp")
        self._session.open()
        return {"container": self._session.container.id}

    def run(self, code: str, seconds: float) -> dict[str, Any]:
        return watched(lambda answer: self._run(code, seconds, answer), seconds + GRACE, "nothing")

    def _run(self, code: str, seconds: float, answer: dict[str, Any]) -> None:
        try:
            output = self._session.run(code, timeout=seconds)
            said = "output" if output.exit_code == 0 else f"exit code {output.exit_code}"
            answer.update(ended=True, said=said, output=(output.stdout or output.stderr)[-200:])
        except Exception as error:  # noqa: BLE001 - whatever the peer raises is its answer
            answer.update(ended=True, said=type(error).__name__, output=str(error)[-200:])

    def close(self) -> dict[str, Any]:
        with contextlib.suppress(Exception):
            self._session.container.remove(force=True)
        self._session = None
        return {}


if __name__ == "__main__":
    serve(LlmSandbox(sys.argv[1]))
