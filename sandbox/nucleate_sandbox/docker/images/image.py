"""The sandbox images: made where they are missing, and only there.

There is one image for all programs, and for each lock of packages one more, which adds a layer to it.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import docker
from docker.errors import ImageNotFound

from nucleate_sandbox.docker.engine import connect, outages
from nucleate_sandbox.docker.folders import owned_folder
from nucleate_sandbox.docker.images.archive import extend_image, write_image, write_layer
from nucleate_sandbox.docker.images.rootfs import MODES, USER_ID, assemble, assemble_packages
from nucleate_sandbox.docker.images.tags import ENTRYPOINT, INPUTS, image_tag, inputs
from nucleate_sandbox.docker.labels import PRODUCT, REPOSITORY
from nucleate_sandbox.errors import ImageMissing
from nucleate_sandbox.packages import NO_PACKAGES, Lock

PACKAGES = "org.nucleate.packages"


def build_image(packages: Lock = NO_PACKAGES, *, client: docker.DockerClient | None = None, force: bool = False) -> str:
    """Build the image unless the engine has it, and return its tag. One process builds, the others wait for it."""
    engine = client or connect()
    with outages("the sandbox image cannot be built"), _alone():
        if force or not has_image(engine):
            _load(engine, write_archive)
        if packages and (force or not has_image(engine, packages)):
            _load(engine, lambda folder: _write_packages_archive(engine, packages, folder))
    return image_tag(packages)


def has_image(client: docker.DockerClient, packages: Lock = NO_PACKAGES) -> bool:
    """Tell whether the engine has the image of the present inputs."""
    with outages("the engine's images cannot be read"):
        try:
            client.images.get(image_tag(packages))
        except ImageNotFound:
            return False
    return True


def require_image(client: docker.DockerClient, packages: Lock = NO_PACKAGES) -> str:
    """Return the tag, or raise ImageMissing with the command that builds it."""
    if not has_image(client, packages):
        raise missing(packages)
    return image_tag(packages)


def missing(packages: Lock = NO_PACKAGES) -> ImageMissing:
    """Return the error that says which image there is not, and the command that builds it."""
    more = "".join(f" --with {name}=={version}" for name, version in packages.pins.items())
    return ImageMissing(f"no sandbox image {image_tag(packages)!r}; run `nucleate sandbox build{more}`")


def write_archive(folder: Path) -> Path:
    """Write the image's archive into an empty folder, as `docker load` reads it, and return its path."""
    config = {
        "User": f"{USER_ID}:{USER_ID}",
        "WorkingDir": "/tmp",  # noqa: S108 - the container's, not the host's
        "Entrypoint": list(ENTRYPOINT),
        "Cmd": ["call"],
        "Labels": {PRODUCT: REPOSITORY, INPUTS: inputs()},
    }
    (folder / "root").mkdir()
    assemble(folder / "root")
    digest = write_layer(folder / "root", folder / "layer.tar", MODES)
    write_image(folder / "layer.tar", digest, folder / "image.tar", tag=image_tag(), config=config)
    return folder / "image.tar"


def _write_packages_archive(client: docker.DockerClient, packages: Lock, folder: Path) -> Path:
    (folder / "root").mkdir()
    assemble_packages(folder / "root", packages)
    digest = write_layer(folder / "root", folder / "layer.tar", MODES)
    with (folder / "base.tar").open("wb") as file:
        file.writelines(client.images.get(image_tag()).save(named=True))
    labels = {PACKAGES: packages.sha256}
    extend_image(
        folder / "base.tar", folder / "layer.tar", digest, folder / "image.tar", tag=image_tag(packages), labels=labels
    )
    return folder / "image.tar"


def _load(client: docker.DockerClient, write: Callable[[Path], Path]) -> None:
    with owned_folder("image") as folder, write(folder).open("rb") as file:
        client.images.load(file)


@contextmanager
def _alone() -> Iterator[None]:
    with (Path(tempfile.gettempdir()) / f"nucleate-image-{os.getuid()}.lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
