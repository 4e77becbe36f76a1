"""Runs `nucleate` as a terminal would start it, in this process: with a folder, variables, both streams, exit code.

An interpreter of its own takes seconds to import what the tests have at hand. That the installed command starts at all,
and what it imports, other tests see.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from nucleate.cli import main


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How a command ended, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def nucleate(folder: Path, *words: str, environment: Mapping[str, str]) -> Ended:
    """Run one command in a folder, with these variables and no others."""
    variables, arguments = dict(os.environ), sys.argv
    out, err = io.StringIO(), io.StringIO()
    try:
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = ["nucleate", *words]
        with chdir(folder), redirect_stdout(out), redirect_stderr(err):
            code = _code()
    finally:
        sys.argv = arguments
        os.environ.clear()
        os.environ.update(variables)
    return Ended(returncode=code, stdout=out.getvalue(), stderr=err.getvalue())


def _code() -> int:
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0
