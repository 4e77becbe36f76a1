"""mypy as a warm, in-process checker: the first check loads the standard library, the others take milliseconds.

`mypy.dmypy_server` is not a documented interface; this module alone uses it, so that an upgrade has one place to look.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import re
import tempfile
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mypy.dmypy_server import Server
from mypy.errors import CompileError
from mypy.modulefinder import BuildSource
from mypy.options import Options

from nucleate_codifier.admission.subject import GateOutage
from nucleate_codifier.values import AdmissionPolicy

CANDIDATE = "nucleate_candidate"
WARM = "nucleate_warm"
# What a crashed checker raises is its own affair; mypy reports an internal error as SystemExit.
CRASHES = (
    SystemExit,
    CompileError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
_LINE = re.compile(r"(?P<path>.+?):(?P<line>\d+): error: (?P<message>.*?)(?:  \[(?P<code>[a-z-]+)\])?$")


@dataclass(frozen=True, kw_only=True)
class TypeProblem:
    """One error of the checker in the candidate's text."""

    line: int
    code: str
    message: str


class Checker:
    """One mypy server with a folder of its own; calls from several threads take turns.

    `modules` are loaded at its start and stay: mypy takes long over a module that comes and goes between checks.
    """

    def __init__(self, modules: Iterable[str]) -> None:
        self._modules = sorted(modules)
        self._lock = threading.Lock()
        self._folder = tempfile.TemporaryDirectory(prefix="nucleate-types-")
        atexit.register(self._folder.cleanup)  # the checker lives as long as its process
        self._server: Server | None = None
        self._stubs: set[str] = set()
        self._written: dict[str, str] = {}
        self._second = 1_000_000_000

    def check(self, text: str, stubs: Mapping[str, str]) -> tuple[TypeProblem, ...]:
        """Return the errors of a module that may import these stub modules. Raises GateOutage when mypy crashes."""
        with self._lock:
            for name, content in stubs.items():
                self._write(f"{name}.pyi", content)
            self._stubs |= set(stubs)
            self._write(f"{WARM}.pyi", "".join(f"import {name}\n" for name in [*self._modules, *sorted(self._stubs)]))
            self._write(f"{CANDIDATE}.py", text)
            try:
                return self._run()
            except CRASHES:
                self._server = None  # its incremental state may be what it stumbled over: once more from nothing
            try:
                return self._run()
            except CRASHES as error:
                self._server = None
                raise GateOutage(f"the type checker crashed: {type(error).__name__} {error}") from error

    def _write(self, name: str, content: str) -> None:
        if self._written.get(name) != content:
            path = Path(self._folder.name, name)
            path.write_text(content, encoding="utf-8")
            # mypy takes a file of the same size, written in the same second, for unchanged: give each its own second.
            self._second += 1
            os.utime(path, (self._second, self._second))
            self._written[name] = content

    def _run(self) -> tuple[TypeProblem, ...]:
        folder = Path(self._folder.name)
        if self._server is None:
            self._server = Server(_options(folder), str(folder / "status.json"))
        names = {CANDIDATE: f"{CANDIDATE}.py", WARM: f"{WARM}.pyi"}
        sources = [BuildSource(str(folder / file), name, None) for name, file in names.items()]
        with contextlib.redirect_stderr(io.StringIO()):  # mypy prints its internal errors there
            answer = self._server.check(sources, False, False, 100)
        return tuple(_problems(str(answer.get("out", "")), folder))


@cache
def checker() -> Checker:
    """Return this process's checker."""
    return Checker([*AdmissionPolicy().allowed_imports, "collections.abc"])


def _problems(output: str, folder: Path) -> list[TypeProblem]:
    found: list[TypeProblem] = []
    for line in output.splitlines():
        match = _LINE.match(line)
        if match and Path(match["path"]).name == f"{CANDIDATE}.py":
            message = match["message"].replace(f"{folder}/", "")
            found.append(TypeProblem(line=int(match["line"]), code=match["code"] or "error", message=message))
    return found


def _options(folder: Path) -> Options:
    """Return mypy's strict mode, except that results which are Any may be returned: schemas do not know everything."""
    options = Options()
    for name in _STRICT:
        setattr(options, name, True)
    options.implicit_reexport = False
    options.fine_grained_incremental = True
    options.local_partial_types = True
    options.cache_dir = str(folder / "cache")
    options.mypy_path = [str(folder)]
    options.python_executable = None
    options.color_output = False
    return options


_STRICT = (
    "disallow_any_generics",
    "disallow_subclassing_any",
    "disallow_untyped_calls",
    "disallow_untyped_defs",
    "disallow_incomplete_defs",
    "check_untyped_defs",
    "disallow_untyped_decorators",
    "warn_redundant_casts",
    "warn_unused_ignores",
    "strict_equality",
    "strict_bytes",
    "extra_checks",
)
