"""Makes `.venv` from the pinned requirements, bringing uv where it is missing; does nothing when nothing changed.

Runs on the standard library alone, since it runs before anything is installed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ROOT / ".tools"
VENV = ROOT / ".venv"
STAMP = VENV / "nucleate-setup.stamp"
INDEX_VARIABLES = ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_INDEX", "UV_CONFIG_FILE", "UV_OFFLINE", "UV_NO_INDEX")


def main() -> None:
    """Bring `.venv` up to date with the requirements file that the command line names."""
    if sys.version_info < (3, 11):  # noqa: UP036 — whoever has an older one should read why
        _stop(f"Python {sys.version.split()[0]} is too old: 3.11 is needed; try `make setup PYTHON=python3.11`")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requirements", default="dev", help="a file in requirements/, without its ending")
    requirements = ROOT / "requirements" / f"{parser.parse_args().requirements}.txt"
    if not requirements.is_file():
        _stop(f"no file {requirements}; requirements/ holds dev.txt and all.txt")
    wanted = _fingerprint(requirements)
    if STAMP.is_file() and STAMP.read_text(encoding="utf-8") == wanted:
        return
    _install(_uv(), requirements)
    STAMP.write_text(wanted, encoding="utf-8")


def _fingerprint(requirements: Path) -> str:
    inputs = (requirements, ROOT / "pyproject.toml", Path(__file__))
    digest = hashlib.sha256(f"{ROOT} {sys.version}".encode())
    for path in inputs:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _install(uv: str, requirements: Path) -> None:
    python = str(VENV / "bin" / "python")
    STAMP.unlink(missing_ok=True)
    if not _is_this_python(python):
        _say("making .venv")
        _run([uv, "venv", "--quiet", "--clear", "--no-project", "--python", sys.executable, str(VENV)])
    _say(f"installing the packages pinned in requirements/{requirements.name}")
    sync = [uv, "pip", "sync", "--quiet", "--compile-bytecode", "--python", python]
    _run([*sync, "--require-hashes", str(requirements)])
    _run([uv, "pip", "install", "--quiet", "--python", python, "--no-deps", "--no-build-isolation", "--editable", "."])
    if packages := sorted(map(str, ROOT.glob("*/nucleate*"))):
        _run([python, "-m", "compileall", "-q", *packages])


def _is_this_python(python: str) -> bool:
    """Tell whether the environment stands, works, and was made for the Python that runs this script."""
    ask = [python, "-c", "import sys; print(sys.version, sys.prefix)"]
    try:
        answer = subprocess.run(ask, capture_output=True, text=True, check=False)
    except OSError:
        return False
    return answer.returncode == 0 and answer.stdout.strip() == f"{sys.version} {VENV}".strip()


def _uv() -> str:
    found = shutil.which("uv") or shutil.which("uv", path=str(TOOLS / "bin"))
    if found is not None and subprocess.run([found, "--version"], capture_output=True, check=False).returncode == 0:
        return found
    _say("bringing uv into .tools")
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(TOOLS)], capture_output=True, check=False)
    if made.returncode != 0:
        _stop("`python3 -m venv` does not work here; install it (Debian: apt-get install python3-venv) or install uv")
    pip = [str(TOOLS / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "--require-hashes", "--requirement", str(ROOT / "requirements" / "uv.txt")])
    return str(TOOLS / "bin" / "uv")


@cache
def _environment() -> dict[str, str]:
    """Return the environment for uv, with the index that pip is configured to use where uv is told none."""
    environment = dict(os.environ)
    index = None if any(name in environment for name in INDEX_VARIABLES) or _uv_has_a_file() else _pip_index()
    if index is not None:
        environment["UV_DEFAULT_INDEX"] = index
    return environment


def _uv_has_a_file() -> bool:
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return any(path.is_file() for path in (home / "uv" / "uv.toml", Path("/etc/uv/uv.toml")))


def _pip_index() -> str | None:
    if os.environ.get("PIP_INDEX_URL"):
        return os.environ["PIP_INDEX_URL"]
    ask = [sys.executable, "-m", "pip", "config", "list"]
    answer = subprocess.run(ask, capture_output=True, text=True, check=False)
    lines = [line.partition("=") for line in answer.stdout.splitlines()]
    found = {key.strip(): value.strip().strip("'") for key, _, value in lines}
    return found.get("install.index-url") or found.get("global.index-url")


def _run(command: list[str]) -> None:
    done = subprocess.run(command, cwd=ROOT, env=_environment(), check=False)
    if done.returncode != 0:
        _stop(f"`{' '.join(command[:3])} …` ended with exit code {done.returncode}; the lines above say why")


def _say(text: str) -> None:
    print(f"setup: {text}", flush=True)


def _stop(text: str) -> NoReturn:
    print(f"setup: {text}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
