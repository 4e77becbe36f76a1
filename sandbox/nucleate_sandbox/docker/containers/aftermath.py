"""Why a container ended under a program, as the engine remembers it when the container itself is gone."""

from __future__ import annotations

import time

import docker

from nucleate_sandbox.docker.engine import failures

ASK_SECONDS = 3.0
AGAIN_SECONDS = 0.1


def ended_for_memory(client: docker.DockerClient, identity: str) -> bool:
    """Tell whether the kernel killed it for memory; an engine that does not answer has told nothing."""
    give_up = time.monotonic() + ASK_SECONDS
    try:
        while time.monotonic() < give_up:
            seen = _events(client, identity)
            if "oom" in seen:
                return True
            if "kill" in seen:  # somebody asked the engine for its end
                return False
            time.sleep(AGAIN_SECONDS)
    except failures():
        return False
    return False


def _events(client: docker.DockerClient, identity: str) -> set[str]:
    """Return what happened to the container; the engine keeps its last few hundred events."""
    found = client.api.events(since=0, until=int(time.time()) + 1, filters={"container": identity}, decode=True)
    return {str(event.get("Action")) for event in found}
