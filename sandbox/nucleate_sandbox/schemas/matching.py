"""Whether a text matches a stranger's expression, in bounded work whatever both are.

Rust's engine takes time in proportion to the text (https://docs.rs/regex: "worst case O(m * n)"). What it cannot
express, and what is too large for this process, goes to a worker that the kernel ends after 100 ms of processor time.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from functools import lru_cache
from importlib.resources import files

from pydantic_core import SchemaError, SchemaValidator, ValidationError, core_schema

from nucleate_sandbox.schemas.expressions import for_python, for_rust, weight

MAX_HERE = 20_000_000  # states times characters: about a tenth of a second
MAX_PATTERN = 20_000
WALL_SECONDS = 20.0  # the worker's own bound is processor time; this one is for a machine that stands still


class Undecided(Exception):
    """Neither engine said within its bound whether the text matches."""


def matches(pattern: str, text: str) -> bool:
    """Tell whether the expression is found in the text; raise Undecided."""
    if len(pattern) > MAX_PATTERN:
        raise Undecided(f"an expression of {len(pattern)} characters")
    linear = _linear(pattern) if weight(pattern) <= MAX_HERE else None
    if linear is None or weight(pattern) * len(text) > MAX_HERE:
        return _worker().matches(pattern, text)
    return _found(linear, text)


def readable(pattern: str) -> bool:
    """Tell whether some engine here can read the expression."""
    try:
        matches(pattern, "")
    except Undecided:
        return False
    return True


@lru_cache(maxsize=512)
def _linear(pattern: str) -> SchemaValidator | None:
    schema = core_schema.str_schema(pattern=for_rust(pattern), regex_engine="rust-regex")
    try:
        return SchemaValidator(schema)
    except SchemaError:
        return None


def _found(linear: SchemaValidator, text: str) -> bool:
    try:
        linear.validate_python(text)
    except ValidationError:
        return False
    return True


class _Worker:
    """One process for all expressions; it is started when the first one needs it, and again after it was ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = os.getpid()
        atexit.register(self._end)

    def matches(self, pattern: str, text: str) -> bool:
        asked = json.dumps([for_rust(pattern), for_python(pattern), text]).encode() + b"\n"
        with self._lock:
            answer = self._ask(asked)
        if answer not in (b"yes", b"no"):
            raise Undecided(answer.decode() or "it took more than 100 ms")
        return answer == b"yes"

    def _ask(self, asked: bytes) -> bytes:
        if self._owner != os.getpid():  # a fork of ours must not read its parent's answers
            self._process, self._owner = None, os.getpid()
        process = self._process = self._process or _started()
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Timer(WALL_SECONDS, process.kill)
        late.start()
        try:
            process.stdin.write(asked)
            process.stdin.flush()
            answer = process.stdout.readline().strip()
        except OSError:
            answer = b""
        finally:
            late.cancel()
        if not answer:
            self._end()
        return answer

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with process:
                pass


@lru_cache(maxsize=1)
def _worker() -> _Worker:
    return _Worker()


def _started() -> subprocess.Popen[bytes]:
    program = (files("nucleate_sandbox") / "schemas" / "worker.py").read_text("utf-8")
    return subprocess.Popen(
        [sys.executable, "-I", "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
