"""Where the repository's own files are."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = tuple(sorted(path.parent for path in ROOT.glob("*/nucleate*/py.typed")))


def tracked() -> list[Path]:
    """Return every file that git tracks and that exists."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def modules() -> list[Path]:
    """Return every module of the packages and of the evaluations."""
    folders = (*PACKAGES, ROOT / "evals", ROOT / "scripts")
    return sorted(path for folder in folders for path in folder.rglob("*.py"))
