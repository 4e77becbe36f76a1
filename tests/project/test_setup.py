"""`make setup` brings the pinned packages once, and again only when something changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.places import ROOT

UV = """#!/bin/sh
[ "$1" = --version ] && exit 0
echo "$1 $2 ${UV_DEFAULT_INDEX:-no index}" >> "$(dirname "$0")/log"
[ "$1" = venv ] && "%s" -m venv --without-pip "$(dirname "$0")/../.venv"
exit 0
"""
ALL_OF_IT = ["venv --quiet no index", "pip sync no index", "pip install no index"]
UNSET = {"PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX", "UV_CONFIG_FILE", "UV_OFFLINE", "UV_NO_INDEX"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a repository of nothing but the script, its inputs, and a uv that writes down what it is told."""
    for name in ("scripts/setup.py", "pyproject.toml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "dev.txt").write_text("rich==15.0.0\n", encoding="utf-8")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "uv").write_text(UV % sys.executable, encoding="utf-8")
    (tmp_path / "bin" / "uv").chmod(0o755)
    return tmp_path


def _setup(root: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name not in UNSET}
    own = {"PATH": f"{root / 'bin'}:{os.environ['PATH']}", "PIP_CONFIG_FILE": os.devnull, "XDG_CONFIG_HOME": str(root)}
    command = [sys.executable, str(root / "scripts" / "setup.py"), *arguments]
    return subprocess.run(
        command, env={**inherited, **own, **variables}, capture_output=True, text=True, check=False, timeout=60
    )


def _log(root: Path) -> list[str]:
    return (root / "bin" / "log").read_text(encoding="utf-8").splitlines()


def test_a_second_run_does_nothing(root: Path) -> None:
    assert _setup(root).returncode == 0
    assert (_setup(root).stdout, _log(root)) == ("", ALL_OF_IT)


def test_a_changed_pin_is_installed_into_the_environment_that_is_there(root: Path) -> None:
    _setup(root)
    (root / "requirements" / "dev.txt").write_text("rich==15.0.1\n", encoding="utf-8")
    _setup(root)
    assert _log(root) == [*ALL_OF_IT, *ALL_OF_IT[1:]]


def test_an_environment_that_does_not_work_is_made_anew(root: Path) -> None:
    _setup(root)
    (root / ".venv" / "nucleate-setup.stamp").unlink()
    (root / ".venv" / "bin" / "python").unlink()
    (root / ".venv" / "bin" / "python").symlink_to(root / "nowhere")
    _setup(root)
    assert _log(root) == [*ALL_OF_IT, *ALL_OF_IT]


def test_uv_uses_the_index_that_pip_is_configured_for(root: Path) -> None:
    _setup(root, PIP_INDEX_URL="https://packages.example/pip")
    assert {line.rpartition(" ")[2] for line in _log(root)} == {"https://packages.example/pip"}


def test_what_uv_is_told_itself_goes_before_what_pip_is_told(root: Path) -> None:
    _setup(root, PIP_INDEX_URL="https://packages.example/pip", UV_DEFAULT_INDEX="https://packages.example/uv")
    assert {line.rpartition(" ")[2] for line in _log(root)} == {"https://packages.example/uv"}


def test_a_requirements_file_that_is_not_there_is_one_line_and_exit_code_2(root: Path) -> None:
    ran = _setup(root, "--requirements", "none")
    assert (ran.returncode, ran.stderr) == (
        2,
        f"setup: no file {root / 'requirements' / 'none.txt'}; requirements/ holds dev.txt and all.txt\n",
    )
