"""The names of the sandbox images: a tag is a hash of everything that goes in, so a change makes another image."""

from __future__ import annotations

import hashlib
import platform
import sys
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from nucleate_sandbox.docker.images.rootfs import MODES, PYTHON
from nucleate_sandbox.docker.labels import REPOSITORY
from nucleate_sandbox.installer import interpreter
from nucleate_sandbox.packages import NO_PACKAGES, Lock

INPUTS = "org.nucleate.inputs"
ENTRYPOINT = (f"/{PYTHON}", "-I", "-S", "-X", "utf8", "-m", "nucleate_guest")
RECIPES = (
    ("guest", None),
    ("image", ("requirements.txt",)),
    ("docker/images", ("rootfs.py", "archive.py")),
    (".", ("installer.py",)),
)


def image_tag(packages: Lock = NO_PACKAGES) -> str:
    """Return the tag that the image of this interpreter, this version of the sandbox and these packages has."""
    more = f"-{packages.sha256[:12]}" if packages else ""
    return f"{REPOSITORY}:{inputs()[:12]}{more}"


@cache
def inputs() -> str:
    """Return the hash of what goes into the image of all programs."""
    package = files("nucleate_sandbox")
    parts = [sys.version, platform.machine(), str(interpreter()), str(interpreter().stat().st_size)]
    for folder, names in RECIPES:
        parts += _texts(package / folder, names)
    parts.append(repr((ENTRYPOINT, MODES)))
    return hashlib.sha256("\0".join(parts).encode("utf-8")).hexdigest()


def _texts(folder: Traversable, names: tuple[str, ...] | None) -> list[str]:
    chosen = (item for item in folder.iterdir() if item.is_file() and (names is None or item.name in names))
    return [f"{item.name}\n{item.read_text('utf-8')}" for item in sorted(chosen, key=lambda item: item.name)]
