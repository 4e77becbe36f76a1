"""The sandbox image: its tag is a hash of everything that goes into it, so that it is rebuilt only on change."""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import docker
from docker.errors import ImageNotFound

from nucleate_sandbox.docker.archive import write_image, write_layer
from nucleate_sandbox.docker.engine import connect, outages
from nucleate_sandbox.docker.rootfs import PYTHON, USER_ID, assemble, interpreter
from nucleate_sandbox.errors import ImageMissing

REPOSITORY = "nucleate-sandbox"
PRODUCT = "org.nucleate.product"
INPUTS = "org.nucleate.inputs"
ENTRYPOINT = (f"/{PYTHON}", "-I", "-S", "-X", "utf8", "-m", "nucleate_guest")
MODES = {
    PYTHON: 0o711,  # a program that its user cannot read is not dumpable: no ptrace, no /proc/PID/mem
    "tmp": 0o1777,
}


@cache
def image_tag() -> str:
    """Return the tag that the image of this interpreter and this version of the sandbox has."""
    return f"{REPOSITORY}:{_inputs()[:12]}"


def _inputs() -> str:
    package = files("nucleate_sandbox")
    parts = [sys.version, platform.machine(), str(interpreter()), str(interpreter().stat().st_size)]
    for folder, names in (("guest", None), ("image", ("requirements.txt",)), ("docker", ("rootfs.py", "archive.py"))):
        parts += _texts(package / folder, names)
    parts.append(repr((ENTRYPOINT, MODES)))
    return hashlib.sha256("\0".join(parts).encode("utf-8")).hexdigest()


def _texts(folder: Traversable, names: tuple[str, ...] | None) -> list[str]:
    chosen = (item for item in folder.iterdir() if item.is_file() and (names is None or item.name in names))
    return [f"{item.name}\n{item.read_text('utf-8')}" for item in sorted(chosen, key=lambda item: item.name)]


def build_image(*, client: docker.DockerClient | None = None, force: bool = False) -> str:
    """Build the image unless the engine has it, and return its tag. One process builds, the others wait for it."""
    engine = client or connect()
    with outages("the sandbox image cannot be built"), _alone():
        if force or not has_image(engine):
            _build(engine)
    return image_tag()


def has_image(client: docker.DockerClient) -> bool:
    """Tell whether the engine has the image of the present inputs."""
    with outages("the engine's images cannot be read"):
        try:
            client.images.get(image_tag())
        except ImageNotFound:
            return False
    return True


def require_image(client: docker.DockerClient) -> str:
    """Return the tag, or raise ImageMissing with the command that builds it."""
    if not has_image(client):
        raise missing()
    return image_tag()


def missing() -> ImageMissing:
    """Return the error that says which image there is not, and the command that builds it."""
    return ImageMissing(f"no sandbox image {image_tag()!r}; run `nucleate sandbox build`")


def _build(client: docker.DockerClient) -> None:
    config = {
        "User": f"{USER_ID}:{USER_ID}",
        "WorkingDir": "/tmp",  # noqa: S108 - the container's, not the host's
        "Entrypoint": list(ENTRYPOINT),
        "Cmd": ["call"],
        "Labels": {PRODUCT: REPOSITORY, INPUTS: _inputs()},
    }
    with tempfile.TemporaryDirectory(prefix="nucleate-image-") as name:
        folder = Path(name)
        (folder / "root").mkdir()
        assemble(folder / "root")
        digest = write_layer(folder / "root", folder / "layer.tar", MODES)
        write_image(folder / "layer.tar", digest, folder / "image.tar", tag=image_tag(), config=config)
        with (folder / "image.tar").open("rb") as file:
            client.images.load(file)


@contextmanager
def _alone() -> Iterator[None]:
    with (Path(tempfile.gettempdir()) / f"nucleate-image-{os.getuid()}.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
