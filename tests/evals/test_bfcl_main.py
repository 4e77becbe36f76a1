"""`python -m evals.bfcl` says in one line what is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.places import ROOT


@pytest.mark.slow
def test_an_unreachable_registry_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    offline = {"UV_OFFLINE": "1", "UV_CACHE_DIR": str(tmp_path / "uv"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "evals.bfcl", "--fetch-only"]
    ran = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **offline}, capture_output=True, text=True, check=False, timeout=120
    )
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert ran.stderr.startswith("evals.bfcl: bfcl-eval-2026.3.23 could not be installed; check the network")
    assert list((tmp_path / "cache" / "nucleate" / "evals").iterdir()) == []
