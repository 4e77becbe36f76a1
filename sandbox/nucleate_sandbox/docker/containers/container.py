"""A running container whose server forks a child ahead for every program."""

from __future__ import annotations

import socket

import docker

from nucleate_sandbox.docker.containers.aftermath import ended_for_memory
from nucleate_sandbox.docker.containers.launch import Way, launch, remove
from nucleate_sandbox.docker.containers.shape import Shape, faults, next_user
from nucleate_sandbox.docker.link.ends import Ends, order_child
from nucleate_sandbox.docker.link.process import ChildEnd, Gone, Process
from nucleate_sandbox.errors import SandboxError
from nucleate_sandbox.limits import Limits
from nucleate_sandbox.stopping import Stop

MAX_SERVED = 500  # programs, then a container is retired


class Container:
    """One program at a time. `spent` is set once it may not serve another."""

    def __init__(self, client: docker.DockerClient, identity: str, control: socket.socket, shape: Shape) -> None:
        self._client = client
        self._control = control
        control.setblocking(False)
        self.identity = identity
        self.shape = shape
        self.served = 0
        self.spent = False
        self._ahead: Ends | None = None

    @classmethod
    def start(cls, client: docker.DockerClient, shape: Shape, way: Way) -> Container:
        """Start a container, and refuse it unless it is as isolated from inside as it was asked to be."""
        user = next_user()
        identity, control, hello = launch(client, shape, user, way)
        container = cls(client, identity, control, shape)
        if found := faults(hello, shape, user):
            container.close()
            raise SandboxError(f"the engine does not isolate as asked ({'; '.join(found)}); see docs/sandbox.md")
        try:
            container._ahead = container._order()
        except SandboxError:
            container.close()
            raise
        return container

    def alive(self) -> bool:
        """False when the server or the child that waits is gone, so that a program need not find out."""
        try:
            self._control.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def begin(self, limits: Limits, stop: Stop) -> Process:
        """Give a program the child that waits for it; the order to stop ends what it then runs."""
        self.served += 1
        ends, self._ahead = self._ahead or self._order(), None
        return Process(control=self._control, ends=ends, limits=limits, stop=stop)

    def end(self, process: Process) -> ChildEnd:
        """Sweep a program away with all that it left, and have the child for the next one forked behind it."""
        if self.spent or self.served >= MAX_SERVED:
            return process.end()
        if process.ended is None or process.ended.clean:
            self._ahead = self._order()
        return process.wait_for_end()

    def _order(self) -> Ends:
        try:
            return order_child(self._control)
        except OSError as error:
            raise Gone from error

    def out_of_memory(self) -> bool:
        """Tell whether the kernel ended the server because the container's memory was used up."""
        return ended_for_memory(self._client, self.identity)

    def hang_up(self) -> None:
        """End the server, which ends the container, which the engine then removes."""
        self._control.close()
        if self._ahead is not None:
            self._ahead.close()
            self._ahead = None

    def close(self) -> None:
        """End the container, and see to it that the engine removes it."""
        self.hang_up()
        remove(self._client, self.identity)
