"""mypy as a warm server in a process of its own: `python mypy_worker.py FOLDER`, one JSON object a line in and out.

It is started by its path, so that it loads mypy alone. `mypy.dmypy_server` is not a documented interface; this module
alone uses it, so that an upgrade has one place to look.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import sys
from collections.abc import Mapping
from pathlib import Path

from mypy.dmypy_server import Server
from mypy.errors import CompileError
from mypy.modulefinder import BuildSource
from mypy.options import Options

MOST_MEMORY = 2 * 1024**3
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
STRICT = (
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


class MypyWorker:
    """One mypy server over one folder: it writes the files that changed, and checks."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server: Server | None = None
        self._written: dict[str, str] = {}
        self._second = 1_000_000_000

    def check(self, files: Mapping[str, str], sources: Mapping[str, str]) -> str:
        """Write the files, check the sources (module → file), and return what mypy prints."""
        for name, text in files.items():
            self._write(name, text)
        try:
            return self._run(sources)
        except CRASHES:
            self._server = None  # its incremental state may be what it stumbled over: once more from nothing
        try:
            return self._run(sources)
        except CRASHES:
            self._server = None
            raise

    def _write(self, name: str, text: str) -> None:
        if self._written.get(name) != text:
            path = self._folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            # mypy takes a file of the same size, written in the same second, for unchanged: give each its own second.
            self._second += 1
            os.utime(path, (self._second, self._second))
            self._written[name] = text

    def _run(self, sources: Mapping[str, str]) -> str:
        if self._server is None:
            self._server = Server(_options(self._folder), str(self._folder / "status.json"))
        builds = [BuildSource(str(self._folder / file), name, None) for name, file in sources.items()]
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            answer = self._server.check(builds, False, False, 100)  # it prints its internal errors
        return str(answer.get("out", ""))


def _options(folder: Path) -> Options:
    """Return mypy's strict mode, except that results which are Any may be returned: schemas do not know everything."""
    options = Options()
    for name in STRICT:
        setattr(options, name, True)
    options.implicit_reexport = False
    options.fine_grained_incremental = True
    options.local_partial_types = True
    options.cache_dir = str(folder / "cache")
    options.mypy_path = [str(folder)]
    options.python_executable = None
    options.color_output = False
    return options


def serve(folder: Path) -> None:
    """Answer until the asker closes its end."""
    worker = MypyWorker(folder)
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer = {"out": worker.check(asked["files"], asked["sources"])}
        except CRASHES as error:
            answer = {"crash": f"{type(error).__name__} {error}"[:300]}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    serve(Path(sys.argv[1]))
