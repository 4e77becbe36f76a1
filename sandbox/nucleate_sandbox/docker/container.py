"""A running container whose server forks a child for every program."""

from __future__ import annotations

import array
import json
import os
import socket

import docker

from nucleate_sandbox.docker.launch import launch, remove
from nucleate_sandbox.docker.process import Process
from nucleate_sandbox.docker.shape import Shape, faults
from nucleate_sandbox.docker.wire import FRAME_MARGIN
from nucleate_sandbox.errors import SandboxError
from nucleate_sandbox.limits import Limits


class Container:
    """One program at a time. `spent` is set once it may not serve another."""

    def __init__(self, client: docker.DockerClient, identity: str, control: socket.socket, shape: Shape) -> None:
        self._client = client
        self._control = control
        self.identity = identity
        self.shape = shape
        self.served = 0
        self.spent = False

    @classmethod
    def start(cls, client: docker.DockerClient, shape: Shape, runtime: str | None) -> Container:
        """Start a container, and refuse it unless it is as isolated from inside as it was asked to be."""
        identity, control, hello = launch(client, shape, runtime)
        container = cls(client, identity, control, shape)
        if found := faults(hello, shape):
            container.close()
            raise SandboxError(f"the engine does not isolate as asked ({'; '.join(found)}); see docs/sandbox.md")
        return container

    def alive(self) -> bool:
        """False when the server is gone, so that a program need not find out."""
        try:
            return bool(self._control.recv(1, socket.MSG_DONTWAIT | socket.MSG_PEEK))
        except BlockingIOError:
            return True
        except OSError:
            return False

    def fork(self, mode: str, limits: Limits) -> Process:
        """Fork a child with a channel and output pipes of its own."""
        self.served += 1
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        (out_read, out_write), (error_read, error_write) = os.pipe(), os.pipe()
        try:
            request = {"do": "fork", "mode": mode, "limits": _limits(limits, once=mode != "session")}
            rights = array.array("i", [there.fileno(), out_write, error_write])
            self._control.sendmsg(
                [json.dumps(request).encode("utf-8")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)]
            )
        except OSError as error:
            for descriptor in (out_read, error_read):
                os.close(descriptor)
            here.close()
            raise SandboxError(f"the sandbox container is gone ({error}); call again") from error
        finally:
            there.close()
            os.close(out_write)
            os.close(error_write)
        return Process(control=self._control, channel=here, streams=(out_read, error_read), limits=limits)

    def hang_up(self) -> None:
        """End the server, which ends the container, which the engine then removes."""
        self._control.close()

    def close(self) -> None:
        """End the container, and see to it that the engine removes it."""
        self.hang_up()
        remove(self._client, self.identity)


def _limits(limits: Limits, *, once: bool) -> dict[str, float]:
    return {
        "cpu_seconds": limits.cpu_seconds,
        "once": once,
        "memory_bytes": limits.memory_bytes,
        "disk_bytes": limits.disk_bytes,
        "open_files": limits.open_files,
        "frame_bytes": limits.result_bytes + FRAME_MARGIN,
    }
