"""A peer as the evaluation sees it: an environment made by uv, and a driver in it that takes orders."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evals.report import ROOT


@dataclass(frozen=True, kw_only=True)
class Package:
    """What a peer is called, what is installed for it, and the module that drives it."""

    name: str
    requirements: tuple[str, ...]
    driver: str


PEERS = (
    Package(
        name="smolagents DockerExecutor",
        requirements=("smolagents[docker]==1.26.0",),
        driver="smolagents_driver",
    ),
    Package(
        name="llm-sandbox",
        requirements=("llm-sandbox[docker]==0.3.46",),
        driver="llm_sandbox_driver",
    ),
)


class Peer:
    """A running driver; a context manager. Its container is gone at the end."""

    def __init__(self, package: Package, *, python: Path, image: str) -> None:
        self.name = package.name
        self.container: str | None = None
        module = f"evals.sandbox.peers.{package.driver}"
        self._process = subprocess.Popen(
            [str(python), "-m", module, image],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )

    def open(self) -> Mapping[str, Any]:
        """Start a container of the peer's."""
        answer = self._ask({"do": "open"})
        self.container = answer.get("container")
        return answer

    def run(self, code: str, seconds: float = 30.0) -> Mapping[str, Any]:
        """Run code; the answer says whether it `ended`, what the caller was told (`said`), its `output` and `ms`."""
        return self._ask({"do": "run", "code": code, "seconds": seconds})

    def many(self, code: str, *, count: int, workers: int) -> Mapping[str, Any]:
        """Run code many times from several threads."""
        return self._ask({"do": "many", "code": code, "count": count, "workers": workers})

    def close(self) -> None:
        """Remove the peer's container."""
        self._ask({"do": "close"})
        self.container = None

    def _ask(self, order: Mapping[str, Any]) -> Mapping[str, Any]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {"error": f"the driver of {self.name} ended"}
        if "error" in answer:
            raise RuntimeError(f"{self.name}: {answer['error']}")
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.container is not None and self._process.poll() is None:
            self.close()
        self._process.kill()
        self._process.wait()


def environment(package: Package, folder: Path, uv: str) -> Path:
    """Return the interpreter of an environment that holds the peer, made at the first time."""
    home = folder / package.driver
    python = home / "bin" / "python"
    if not (home / "ready").exists():
        subprocess.run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(home)], check=True)
        subprocess.run([uv, "pip", "install", "--quiet", "-p", str(python), *package.requirements], check=True)
        (home / "ready").touch()
    return python
