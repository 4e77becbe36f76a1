"""A meeting on this machine: the server connects to a socket in a private folder that is mounted into its container."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import docker
from docker.types import LogConfig, Mount

from nucleate_sandbox.docker.engine import outages
from nucleate_sandbox.docker.folders import owned_folder
from nucleate_sandbox.docker.link.link import LATE, START_SECONDS
from nucleate_sandbox.errors import SandboxError

LOOK_SECONDS = 0.5
INSIDE = "/run/nucleate"


class LocalLink:
    """A folder with a listening socket."""

    words: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}

    def __init__(self, folder: Path, listener: socket.socket) -> None:
        self._listener = listener
        self._look: Callable[[], None] = lambda: None
        self.host_options: Mapping[str, Any] = {
            "mounts": [Mount(target=INSIDE, source=str(folder), type="bind", read_only=True)],
            "log_config": LogConfig(type="json-file", config={"max-size": "1m", "max-file": "1"}),
        }

    def prepare(self, client: docker.DockerClient, identity: str) -> None:
        """Note whose end would make the waiting vain."""
        self._look = lambda: _still_there(client, identity)

    def accept(self) -> socket.socket:
        """Wait for the server; a container that ended instead is an outage with its last words."""
        give_up = time.monotonic() + START_SECONDS
        self._listener.settimeout(LOOK_SECONDS)
        while time.monotonic() < give_up:
            try:
                return self._listener.accept()[0]
            except TimeoutError:
                self._look()
        raise SandboxError(LATE)


def _still_there(client: docker.DockerClient, identity: str) -> None:
    with outages("the sandbox server ended at its start; run `nucleate sandbox build --force`"):
        state = client.api.inspect_container(identity)["State"]
        if not state["Running"]:
            raise OSError(f"exit status {state['ExitCode']} {state['Error']}")


@contextmanager
def bound() -> Iterator[LocalLink]:
    """Yield a private folder with a listening socket; both are gone as soon as the server has connected."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        with owned_folder("control") as folder:
            folder.chmod(0o755)
            listener.bind(str(folder / "control"))
            (folder / "control").chmod(0o666)
            listener.listen(1)
            yield LocalLink(folder, listener)
    except OSError as error:
        raise SandboxError(f"no socket can be made ({error}); set TMPDIR to a short path with room") from error
    finally:
        listener.close()
