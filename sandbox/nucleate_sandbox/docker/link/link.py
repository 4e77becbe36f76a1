"""How a container's server and this process meet: the seam between an engine on this machine and one elsewhere."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol

import docker

from nucleate_sandbox.errors import SandboxError

Transport = Literal["socket", "attached"]
START_SECONDS = 60.0
LATE = f"the sandbox server did not report in {START_SECONDS:g} s; is the machine overloaded?"


class LinkUnreached(SandboxError):
    """The engine does not see this machine's files: a socket in a folder leads nowhere."""


class ContainerLink(Protocol):
    """`words` go to the server, `options` and `host_options` to the engine.

    `prepare` is told of the container before it is started. `accept` returns a socket that speaks as the server does:
    orders with descriptors one way, reports the other.
    """

    words: tuple[str, ...]
    options: Mapping[str, Any]
    host_options: Mapping[str, Any]

    def prepare(self, client: docker.DockerClient, identity: str) -> None: ...
    def accept(self) -> socket.socket: ...


Meet = AbstractContextManager[ContainerLink]
