"""What the engine has of ours, and what of it nobody needs: for the command line and the start of every sandbox."""

from __future__ import annotations

from dataclasses import dataclass

import docker
from docker.errors import APIError, NotFound

from nucleate_sandbox.docker.containers.launch import remove
from nucleate_sandbox.docker.engine import connect, outages
from nucleate_sandbox.docker.folders import reap_folders
from nucleate_sandbox.docker.images.image import has_image
from nucleate_sandbox.docker.images.tags import image_tag
from nucleate_sandbox.docker.labels import OWNER, PRODUCT, PURPOSE, REPOSITORY, orphaned

IN_USE = 409
OURS = {"label": f"{PRODUCT}={REPOSITORY}"}


@dataclass(frozen=True, kw_only=True)
class FoundContainer:
    """A container of ours: `owner` is the process that started it, `left` is true when that process is gone."""

    identity: str
    purpose: str
    state: str
    owner: str
    left: bool

    def __str__(self) -> str:
        return f"container {self.identity[:12]} ({self.purpose}, {self.state}) of process {self.owner}"


@dataclass(frozen=True, kw_only=True)
class SandboxStatus:
    """The engine, the image of the present inputs, all images of ours by tag, and all containers of ours."""

    engine: str
    image: str
    image_present: bool
    images: tuple[str, ...]
    found: tuple[FoundContainer, ...]

    @property
    def containers(self) -> int:
        """Return how many containers there are."""
        return len(self.found)

    @property
    def leftovers(self) -> int:
        """Return how many of them have no owner any more."""
        return sum(item.left for item in self.found)


def status(*, client: docker.DockerClient | None = None) -> SandboxStatus:
    """Return what the engine has of ours; raise EngineUnavailable when there is none."""
    engine = client or connect()
    with outages("the engine cannot be asked"):
        version = str(engine.version()["Version"])
    return SandboxStatus(
        engine=version,
        image=image_tag(),
        image_present=has_image(engine),
        images=_tags(engine),
        found=_containers(engine),
    )


def clean(*, client: docker.DockerClient | None = None) -> tuple[FoundContainer, ...]:
    """Remove the containers, in any state, whose owner is dead, and return them."""
    return reap(client or connect())


def clean_images(*, client: docker.DockerClient | None = None) -> tuple[str, ...]:
    """Remove the images of other versions, of packages, and of no name, that no container uses; return which.

    The image of the present inputs stays. A sandbox that needs one of the others again makes it again.
    """
    engine = client or connect()
    with outages("old images cannot be removed"):
        names = [tag for tag in _tags(engine) if tag != image_tag()]
        nameless = [str(image.id) for image in engine.images.list(filters=OURS) if not image.tags]
        return tuple(name for name in (*names, *nameless) if _remove_image(engine, name))


def _tags(engine: docker.DockerClient) -> tuple[str, ...]:
    """Return the names of our images; one that somebody built on ours has our label too, and a name of its own."""
    with outages("the images cannot be listed"):
        found = [tag for image in engine.images.list(filters=OURS) for tag in image.tags]
    return tuple(sorted(tag for tag in found if tag.startswith(f"{REPOSITORY}:")))


def _remove_image(engine: docker.DockerClient, name: str) -> bool:
    try:
        engine.images.remove(name, force=False)
    except NotFound:
        return False
    except APIError as error:
        if error.status_code != IN_USE:
            raise
        return False
    return True


def reap(client: docker.DockerClient) -> tuple[FoundContainer, ...]:
    """Remove the containers, in any state, whose owner is dead, and return them; its folders go too."""
    reap_folders()
    gone = tuple(item for item in _containers(client) if item.left)
    for item in gone:
        remove(client, item.identity)
    return gone


def _containers(client: docker.DockerClient) -> tuple[FoundContainer, ...]:
    with outages("the containers cannot be listed"):
        found = client.api.containers(all=True, filters=OURS)
    labelled = ((item, item.get("Labels") or {}) for item in found)
    return tuple(_found(item["Id"], item["State"], labels) for item, labels in labelled if OWNER in labels)


def _found(identity: str, state: str, labels: dict[str, str]) -> FoundContainer:
    return FoundContainer(
        identity=identity,
        purpose=labels.get(PURPOSE, "unknown"),
        state=state,
        owner=labels[OWNER].partition(" ")[0],
        left=orphaned(labels),
    )
