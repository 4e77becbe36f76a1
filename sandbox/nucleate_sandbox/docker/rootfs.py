"""Assembles the container's root file system from the running interpreter: no registry, no package manager."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from importlib.resources import as_file, files
from pathlib import Path

from nucleate_sandbox.errors import SandboxError

USER_ID = 61234
PREFIX = "usr/local"
STDLIB = f"{PREFIX}/{sys.platlibdir}/python{sys.version_info.major}.{sys.version_info.minor}"
PACKAGES = f"{STDLIB}/packages"
PYTHON = f"{PREFIX}/bin/nucleate-python"
FOLDERS = ("dev", "etc", "proc", "run/nucleate", "sys", "tmp")
LEFT_OUT = shutil.ignore_patterns(
    "__pycache__", "site-packages", "dist-packages", "test", "tests", "idlelib", "ensurepip", "tkinter", "turtledemo",
    "turtle.py", "lib2to3", "pydoc_data", "venv", "config-*", "_tkinter*", "_test*", "_ctypes_test*", "_xx*", "xx*",
    "*.a", "*.pth", "sitecustomize.py", "usercustomize.py", "EXTERNALLY-MANAGED",
)  # fmt: skip
PASSWD = f"root:x:0:0:root:/nonexistent:/nonexistent\ntool:x:{USER_ID}:{USER_ID}:tool:/tmp:/nonexistent\n"
GROUP = f"root:x:0:\ntool:x:{USER_ID}:\n"


def assemble(root: Path) -> None:
    """Fill an empty folder with everything that the image holds."""
    for name in FOLDERS:
        (root / name).mkdir(parents=True)
    (root / "etc/passwd").write_text(PASSWD, encoding="utf-8")
    (root / "etc/group").write_text(GROUP, encoding="utf-8")
    _copy_interpreter(root)
    _install_packages(root / PACKAGES)
    _copy_libraries(root)
    _compile(root)


def interpreter() -> Path:
    """Return the real file of the running interpreter, outside any virtual environment."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    candidates = (Path(sys.base_prefix) / "bin" / name, Path(sys.executable))
    return next(path for path in candidates if path.exists()).resolve()


def _copy_interpreter(root: Path) -> None:
    stdlib, platform = (Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib"))
    shutil.copytree(stdlib, root / STDLIB, ignore=LEFT_OUT)
    if (platform / "lib-dynload").is_dir() and platform != stdlib:
        shutil.copytree(platform / "lib-dynload", root / STDLIB / "lib-dynload", ignore=LEFT_OUT, dirs_exist_ok=True)
    (root / PYTHON).parent.mkdir(parents=True)
    shutil.copyfile(interpreter(), root / PYTHON)
    with as_file(files("nucleate_sandbox") / "guest") as guest:
        shutil.copytree(guest, root / STDLIB / "nucleate_guest", ignore=LEFT_OUT)


def _install_packages(target: Path) -> None:
    with as_file(files("nucleate_sandbox") / "image" / "requirements.txt") as requirements:
        arguments = ["--target", str(target), "--require-hashes", "-r", str(requirements)]
        uv = _uv()
        if uv:
            _run([uv, "pip", "install", "--quiet", "--python", sys.executable, *arguments])
        else:
            _run([sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", *arguments])
    for path in [*target.rglob("*.pth"), *target.rglob("__pycache__"), target / "bin", target / ".lock"]:
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def _uv() -> str | None:
    """Return uv as installed beside this interpreter, or on the path."""
    beside = Path(sys.executable).with_name("uv")
    return str(beside) if beside.exists() else shutil.which("uv")


def _copy_libraries(root: Path) -> None:
    """Copy what the interpreter and its extension modules are linked with, into the loader's own default folder."""
    libraries: dict[str, Path] = {}
    for binary in (interpreter(), *sorted((root / STDLIB).rglob("*.so"))):
        libraries.update(_linked(binary))
    home = next((path.parent for name, path in libraries.items() if name.startswith("libc.so")), Path("/lib"))
    for name, path in libraries.items():
        target = root / str(path if name.startswith("ld-") else home / name).lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path.resolve(), target)  # with its mode: the kernel executes the loader


def _linked(binary: Path) -> dict[str, Path]:
    text = subprocess.run(["ldd", str(binary)], capture_output=True, encoding="utf-8", check=False).stdout
    paths = [Path(item) for item in re.findall(r"(?:=> |^\s+)(/\S+) \(0x", text, re.MULTILINE)]
    return {path.name: path for path in paths}


def _compile(root: Path) -> None:
    options = ["-q", "-j", "0", "--invalidation-mode", "unchecked-hash", "-s", str(root), "-p", "/"]
    _run([str(interpreter()), "-I", "-m", "compileall", *options, str(root / STDLIB)], check=False)


def _run(command: list[str], *, check: bool = True) -> None:
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    if check and done.returncode:
        reason = " ".join(done.stderr.split())[-400:]
        raise SandboxError(f"the image cannot be built: {Path(command[0]).name} failed: {reason}")
