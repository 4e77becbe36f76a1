"""DockerSandbox: one tenant's warm containers, opened as sessions."""

from __future__ import annotations

import atexit
import threading
import weakref
from dataclasses import replace
from types import TracebackType
from typing import Self

import docker

from nucleate_sandbox.docker.containers.container import Container
from nucleate_sandbox.docker.containers.container_source import WithPackages
from nucleate_sandbox.docker.containers.launch import Way
from nucleate_sandbox.docker.containers.pool import Pool
from nucleate_sandbox.docker.containers.shape import Shape
from nucleate_sandbox.docker.docker_session import DockerSession
from nucleate_sandbox.docker.engine import connect, here
from nucleate_sandbox.docker.housekeeping import reap
from nucleate_sandbox.docker.images.image import build_image, require_image
from nucleate_sandbox.docker.link.link import LinkUnreached, Transport
from nucleate_sandbox.environment import NONE, Functions
from nucleate_sandbox.errors import ImageMissing, SandboxError
from nucleate_sandbox.limits import DEFAULT, Limits
from nucleate_sandbox.packages import NO_PACKAGES, Lock


class DockerSandbox:
    """Runs code in hardened containers. Making one costs nothing; the first program starts a container.

    `build` makes a missing image; without it a missing image is ImageMissing. `runtime` names another OCI
    runtime of the engine (`runsc`), `host` another engine than that of `docker`. `transport` is how programs are
    reached: by a `socket` on this machine, or `attached` over the engine's own connection, wherever it is; by itself
    the sandbox takes the socket where it can. Containers are never shared between two instances.
    """

    name = "docker"
    final = True

    def __init__(
        self,
        *,
        build: bool = True,
        runtime: str | None = None,
        host: str | None = None,
        transport: Transport | None = None,
    ) -> None:
        self._build = build
        self._host = host
        self._transport = transport
        self._way = Way(runtime=runtime, transport=transport or "socket")
        self._client: docker.DockerClient | None = None
        self._closed = False
        self._provided: set[Lock] = set()
        self._lock = threading.Lock()
        self._pool = Pool(self._start)
        atexit.register(_close, weakref.ref(self))

    def open(
        self, *, functions: Functions = NONE, limits: Limits = DEFAULT, packages: Lock | None = None
    ) -> DockerSession:
        """Return a session; raise EngineUnavailable or ImageMissing when none can work.

        The image with the packages is made here, once; no call ever installs anything.
        """
        client = self._engine()
        if not packages:
            return DockerSession(self._pool, functions, limits)
        self._provide(client, packages)
        return DockerSession(WithPackages(self._pool, packages), functions, limits)

    def close(self) -> None:
        """Remove every container of this sandbox."""
        self._pool.close()
        with self._lock:
            self._closed = True
            if self._client is not None:
                self._client.close()
                self._client = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _engine(self) -> docker.DockerClient:
        """Return a client of an engine that has the image; what dead processes left there is gone."""
        with self._lock:
            if self._closed:
                raise SandboxError("the sandbox is closed; make a new DockerSandbox")
            if self._client is None:
                self._client = self._prepared()
            return self._client

    def _prepared(self) -> docker.DockerClient:
        client = connect(self._host)
        if self._transport is None and not here(self._host):
            self._way = replace(self._way, transport="attached")
        try:
            reap(client)
            self._provide(client, NO_PACKAGES)
        except BaseException:
            client.close()
            raise
        return client

    def _provide(self, client: docker.DockerClient, packages: Lock) -> None:
        if packages in self._provided:
            return
        if self._build:
            build_image(packages, client=client)
        require_image(client, packages)
        self._provided.add(packages)

    def _start(self, shape: Shape) -> Container:
        try:
            return self._started(shape)
        except LinkUnreached:  # a machine of its own behind a socket of this one, as with Docker Desktop
            if self._transport is not None:
                raise
        self._way = replace(self._way, transport="attached")
        return self._started(shape)

    def _started(self, shape: Shape) -> Container:
        try:
            return Container.start(self._engine(), shape, self._way)
        except ImageMissing:
            if not self._build:
                raise
        build_image(shape.packages, client=self._engine())  # somebody removed it since this sandbox began
        return Container.start(self._engine(), shape, self._way)


def _close(sandbox: weakref.ref[DockerSandbox]) -> None:
    living = sandbox()
    if living is not None:
        living.close()
