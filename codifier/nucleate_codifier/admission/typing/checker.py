"""The type checker as this process knows it: a warm worker that is killed when it is late, and started again.

The first check loads the standard library, the others take milliseconds. A program can make any type checker slow; the
worker is a process of its own because nothing less can be stopped.
"""

from __future__ import annotations

import atexit
import json
import re
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from nucleate_codifier.admission.subject import GateOutage
from nucleate_codifier.values import AdmissionPolicy
from nucleate_sandbox.docker.folders import owned_folder, reap_folders

CANDIDATE = "nucleate_candidate"
WARM = "nucleate_warm"
WORKER = Path(__file__).with_name("mypy_worker.py")
START_SECONDS = 60.0  # for a first check, which reads the standard library's stubs on a busy machine
EXHAUSTED = ("MemoryError", "RecursionError", "OverflowError")
_LINE = re.compile(r"(?P<path>.+?):(?P<line>\d+): error: (?P<message>.*?)(?:  \[(?P<code>[a-z-]+)\])?$")


class CheckerTimeout(Exception):
    """The checker needed longer than it was given, and was killed."""


class CheckerExhausted(Exception):
    """The checker ran out of memory, or of stack, over this program."""


@dataclass(frozen=True, kw_only=True)
class TypeProblem:
    """One error of the checker in the candidate's text."""

    line: int
    code: str
    message: str


class Checker:
    """One worker process with a folder of its own; calls from several threads take turns.

    `modules` are loaded at its start and stay: mypy takes long over a module that comes and goes between checks.
    """

    def __init__(self, modules: Iterable[str]) -> None:
        self._modules = sorted(modules)
        self._lock = threading.Lock()
        self._owned = ExitStack()
        self._folder: Path | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._stubs: dict[str, str] = {}
        atexit.register(self.close)  # the checker lives as long as its process

    def check(self, text: str, stubs: Mapping[str, str], *, seconds: float) -> tuple[TypeProblem, ...]:
        """Return the errors of a module that may import these stub modules.

        Raises CheckerTimeout after the seconds (a first check may take a minute more), CheckerExhausted when the
        program is too much for it, GateOutage when mypy crashes.
        """
        with self._lock:
            until = time.monotonic() + seconds
            self._stubs |= stubs
            if self._process is None:
                until += START_SECONDS
                self._start()
                self._ask({f"{CANDIDATE}.py": ""}, until)
                until = time.monotonic() + seconds
            return tuple(_problems(self._ask({f"{CANDIDATE}.py": text}, until)))

    def close(self) -> None:
        """End the worker and remove its folder; the next check starts another."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()
        self._owned.close()
        self._folder = None

    def _start(self) -> None:
        reap_folders()  # of checkers whose process was killed
        self._folder = self._owned.enter_context(owned_folder("types"))
        self._process = subprocess.Popen(
            [sys.executable, "-I", str(WORKER), str(self._folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def _ask(self, own: Mapping[str, str], until: float) -> str:
        stubs = [name.removesuffix("/__init__").replace("/", ".") for name in sorted(self._stubs)]
        warm = "".join(f"import {name}\n" for name in [*self._modules, *stubs])
        files = {f"{name}.pyi": text for name, text in self._stubs.items()} | {f"{WARM}.pyi": warm, **own}
        asked = {"files": files, "sources": {CANDIDATE: f"{CANDIDATE}.py", WARM: f"{WARM}.pyi"}}
        try:
            answer = json.loads(self._exchange(json.dumps(asked).encode() + b"\n", until))
        except (OSError, ValueError) as error:
            self.close()
            raise GateOutage(f"the type checker ended: {type(error).__name__}; ask again") from error
        except CheckerTimeout:
            self.close()
            raise
        if str(answer.get("crash", "")).startswith(EXHAUSTED):
            self.close()
            raise CheckerExhausted(answer["crash"])
        if "crash" in answer:
            raise GateOutage(f"the type checker crashed: {answer['crash']}")
        return str(answer["out"]).replace(f"{self._folder}/" if self._folder else "", "")

    def _exchange(self, line: bytes, until: float) -> bytes:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise OSError("the worker has no pipes")
        process.stdin.write(line)  # the worker reads all of a question before it begins
        process.stdin.flush()
        answer = b""
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while not answer.endswith(b"\n"):
                if not selector.select(max(0.0, until - time.monotonic())):
                    raise CheckerTimeout
                part = process.stdout.read1(65536)  # type: ignore[attr-defined]
                if not part:
                    raise OSError("the worker closed its end")
                answer += part
        return answer


@cache
def checker() -> Checker:
    """Return this process's checker."""
    return Checker([*AdmissionPolicy().allowed_imports, "collections.abc"])


def _problems(output: str) -> list[TypeProblem]:
    found: list[TypeProblem] = []
    for line in output.splitlines():
        match = _LINE.match(line)
        if match and Path(match["path"]).name == f"{CANDIDATE}.py":
            found.append(TypeProblem(line=int(match["line"]), code=match["code"] or "error", message=match["message"]))
    return found
