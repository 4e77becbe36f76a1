"""Runs uv: it locks packages and puts wheels into a folder, and never runs code of theirs."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from uv import find_uv_bin

from nucleate_sandbox.errors import SandboxError
from nucleate_sandbox.packages import NO_PACKAGES, Lock, PackageError, read_requirement

UNSOLVED = 1  # uv's exit code where the requirements, not the machine, are at fault
WHEELS_ONLY = ("--only-binary", ":all:", "--no-progress")
SUPERFLUOUS = ("*.pth", "__pycache__")


def uv_version() -> str:
    """Return what uv says of itself; raise SandboxError where there is none."""
    done = subprocess.run([_program(), "--version"], capture_output=True, encoding="utf-8", check=False)
    return _checked(done).stdout.strip()


def interpreter() -> Path:
    """Return the real file of the running interpreter, outside any virtual environment."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = (Path(sys.base_prefix) / "bin" / name, Path(sys.executable))
    return next(path for path in candidates if path.exists()).resolve()


def lock(requirements: Iterable[str]) -> Lock:
    """Return exact versions and hashes for the sandbox's Python, of wheels alone, since a source would run code.

    Raises PackageError where no set of wheels fulfils the requirements, SandboxError where uv cannot find out.
    """
    wanted = sorted({read_requirement(text) for text in requirements})
    if not wanted:
        return NO_PACKAGES
    with tempfile.TemporaryDirectory(prefix="nucleate-lock-") as name:
        place = Path(name) / "requirements.in"
        place.write_text("\n".join(wanted) + "\n", encoding="utf-8")
        options = ("--generate-hashes", "--no-header", "--no-annotate")
        done = _uv("compile", str(place), *options, folder=Path(name))
    if done.returncode == UNSOLVED:
        raise PackageError(f"the packages cannot be had as wheels ({_reason(done)}); change the requirements")
    return Lock(text=_checked(done).stdout)


def install(requirements: Path, target: Path) -> None:
    """Put locked wheels into a folder: no path files, no programs, no compiled files, nothing that is a link."""
    target.mkdir(parents=True)
    options = ("--target", str(target), "--require-hashes", "--no-deps")
    _checked(_uv("install", *options, "-r", str(requirements), folder=target))
    found = [path for pattern in SUPERFLUOUS for path in target.rglob(pattern)]
    for path in [*found, target / "bin", target / ".lock", *(item for item in target.rglob("*") if item.is_symlink())]:
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
    for record in target.glob("*.dist-info/RECORD"):
        _forget_absent(record, target)


def _forget_absent(record: Path, target: Path) -> None:
    """Leave out of a record what is not there: hashes of programs, which hold this machine's paths."""
    lines = record.read_text("utf-8").splitlines()
    kept = [line for line in lines if (target / line.rsplit(",", 2)[0].strip('"')).exists()]
    record.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")


def _uv(verb: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `uv pip` outside any project, whose settings it would follow."""
    command = [_program(), "pip", verb, *arguments, *WHEELS_ONLY, "--quiet", "--python", str(interpreter())]
    return subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        cwd=folder,
        stdin=subprocess.DEVNULL,
    )


def _checked(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str]:
    if done.returncode:
        raise SandboxError(f"uv failed ({_reason(done)}); see whether the package registry is within reach")
    return done


def _reason(done: subprocess.CompletedProcess[str]) -> str:
    return " ".join(done.stderr.split())[:400]


def _program() -> str:
    try:
        return find_uv_bin()
    except FileNotFoundError as error:
        raise SandboxError("there is no uv, which lays packages in; install the package uv") from error
