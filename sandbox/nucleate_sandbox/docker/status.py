"""What is there and what is left: for the command line and for the start of every sandbox."""

from __future__ import annotations

from dataclasses import dataclass

import docker
from docker.errors import APIError

from nucleate_sandbox.docker.engine import connect, outages
from nucleate_sandbox.docker.image import PRODUCT, REPOSITORY, has_image, image_tag
from nucleate_sandbox.docker.labels import orphaned
from nucleate_sandbox.docker.launch import remove

IN_USE = 409


@dataclass(frozen=True, kw_only=True)
class Status:
    """The engine, the image, and the containers: all of ours, and those whose owner is dead."""

    engine: str
    image: str
    image_present: bool
    containers: int
    leftovers: int


def status(*, client: docker.DockerClient | None = None) -> Status:
    """Return what the engine has of ours; raise EngineUnavailable when there is none."""
    engine = client or connect()
    with outages("the engine cannot be asked"):
        version = str(engine.version()["Version"])
        found = _containers(engine)
    return Status(
        engine=version,
        image=image_tag(),
        image_present=has_image(engine),
        containers=len(found),
        leftovers=sum(orphaned(labels) for labels in found.values()),
    )


def clean(*, client: docker.DockerClient | None = None) -> int:
    """Remove the containers of dead owners and the images of other versions; return how many containers went."""
    engine = client or connect()
    count = reap(engine)
    with outages("old images cannot be removed"):
        for image in engine.images.list(name=REPOSITORY, filters={"label": f"{PRODUCT}={REPOSITORY}"}):
            if image_tag() not in image.tags:
                _remove_image(engine, str(image.id))
    return count


def _remove_image(engine: docker.DockerClient, identity: str) -> None:
    try:
        engine.images.remove(identity, force=False)
    except APIError as error:
        if error.status_code != IN_USE:
            raise


def reap(client: docker.DockerClient) -> int:
    """Remove the containers, in any state, whose owner is dead; return how many."""
    with outages("leftover containers cannot be listed"):
        gone = [identity for identity, labels in _containers(client).items() if orphaned(labels)]
    for identity in gone:
        remove(client, identity)
    return len(gone)


def _containers(client: docker.DockerClient) -> dict[str, dict[str, str]]:
    found = client.api.containers(all=True, filters={"label": f"{PRODUCT}={REPOSITORY}"})
    return {item["Id"]: item.get("Labels") or {} for item in found}
