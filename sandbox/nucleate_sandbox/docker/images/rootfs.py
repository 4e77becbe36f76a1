"""Assembles the container's root file system from the running interpreter: no registry, no package manager.

`python -m nucleate_sandbox.docker.images.rootfs FOLDER` fills a folder so; `image/Dockerfile` does that.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path

from nucleate_sandbox.docker.images.archive import plain_mode
from nucleate_sandbox.installer import install, interpreter
from nucleate_sandbox.packages import Lock

USER_ID = 61234
PREFIX = "usr/local"
STDLIB = f"{PREFIX}/{sys.platlibdir}/python{sys.version_info.major}.{sys.version_info.minor}"
PACKAGES = f"{STDLIB}/packages"  # of the server of tests
TOOL_PACKAGES = f"{STDLIB}/tool-packages"  # of the programs, in a layer of their own
PYTHON = f"{PREFIX}/bin/nucleate-python"
MODES = {
    PYTHON: 0o711,  # a program that its user cannot read is not dumpable: no ptrace, no /proc/PID/mem
    "tmp": 0o1777,
}
FOLDERS = ("dev", "etc", "proc", "run/nucleate", "sys", "tmp")
LEFT_OUT = shutil.ignore_patterns(
    "__pycache__", "site-packages", "dist-packages", "test", "tests", "idlelib", "ensurepip", "tkinter", "turtledemo",
    "turtle.py", "lib2to3", "pydoc_data", "venv", "config-*", "_tkinter*", "_test*", "_ctypes_test*", "_xx*", "xx*",
    "*.a", "*.pth", "sitecustomize.py", "usercustomize.py", "EXTERNALLY-MANAGED",
)  # fmt: skip
# What a manylinux wheel may link with and the interpreter does not bring along (PEP 599).
COMPANIONS = ("libatomic.so.1", "libexpat.so.1", "libgcc_s.so.1", "libstdc++.so.6", "libz.so.1")
UNUSUAL = ("docs", "examples", "sitecustomize", "test", "tests", "usercustomize")  # packed by mistake, as a rule
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
    compile_all(root, STDLIB)


def assemble_packages(root: Path, lock: Lock) -> None:
    """Fill an empty folder with what a layer of locked packages holds."""
    place = root.with_name("lock.txt")
    place.write_text(lock.text, encoding="utf-8")
    install(place, root / TOOL_PACKAGES)
    if any((root / TOOL_PACKAGES).rglob("*.so*")):
        _copy_companions(root)
    compile_all(root, TOOL_PACKAGES)
    names = "".join(f"{name}\n" for name in sorted(set(_importable(root / TOOL_PACKAGES))))
    (root / f"{TOOL_PACKAGES}.txt").write_text(names, encoding="utf-8")


def _importable(folder: Path) -> Iterator[str]:
    """Yield the names under which the packages in a folder are imported."""
    for path in folder.iterdir():
        name = path.name.partition(".")[0]
        module = (path / "__init__.py").exists() or path.suffix in (".py", ".so")
        if module and name.isidentifier() and not name.startswith("_") and name not in UNUSUAL:
            yield name


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
        install(requirements, target)


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
    paths = [Path(item) for item in re.findall(r"(?:=> |^[ \t]++)(/\S++) \(0x", text, re.MULTILINE)]
    return {path.name: path for path in paths}


def _copy_companions(root: Path) -> None:
    """Copy the libraries that every wheel may expect of a system, from where the C library lives."""
    library = next((path for name, path in _linked(interpreter()).items() if name.startswith("libc.so")), None)
    for path in (library.with_name(name) for name in COMPANIONS) if library else ():
        if path.exists():
            target = root / str(path).lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path.resolve(), target)


def compile_all(root: Path, folder: str) -> None:
    """Compile every module below a folder of the root, with a hash of its source in place of a time."""
    options = ["-q", "-j", "0", "--invalidation-mode", "unchecked-hash", "-s", str(root), "-p", "/"]
    command = [str(interpreter()), "-I", "-m", "compileall", *options, str(root / folder)]
    subprocess.run(command, capture_output=True, check=False)  # some packages hold templates that do not compile


def main(target: Path) -> None:
    """Fill a folder that becomes an image as it stands there, and set the modes that an archive would set."""
    assemble(target)
    for path in target.rglob("*"):
        mode = MODES.get(path.relative_to(target).as_posix())
        path.chmod(mode if mode is not None else plain_mode(path.stat().st_mode, folder=path.is_dir()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
