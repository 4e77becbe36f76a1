"""Access to the Docker engine, and one clear line for each way in which there is none."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import docker
from docker.context import ContextAPI
from docker.errors import DockerException
from docker.utils import kwargs_from_env
from requests.exceptions import RequestException

from nucleate_sandbox.errors import EngineUnavailable, SandboxError

ANSWER_SECONDS = 60
CONVERSATIONS = 512  # at once; the SDK breaks off the oldest when there are more
HERE = "unix://"
NO_SSH = "there is no package 'paramiko'; install it, or forward the engine's socket with ssh and set DOCKER_HOST to it"


def connect(host: str | None = None) -> docker.DockerClient:
    """Return a client whose engine answered; otherwise EngineUnavailable says what to do."""
    url = host or engine_address()
    if here(url):
        _knock(Path(url.removeprefix(HERE)))
    if url.startswith("ssh://") and find_spec("paramiko") is None:
        raise EngineUnavailable(f"no SSH to the engine at {url!r}: {NO_SSH}")
    client = None
    try:
        client = docker.DockerClient(
            base_url=url, tls=_tls(url, named=host is not None), timeout=ANSWER_SECONDS, num_pools=CONVERSATIONS
        )
        # The SDK keeps a connection for every address that it asked, and each container has addresses of its own.
        client.api.headers["Connection"] = "close"
        _settle(client.api)
        client.ping()
    except failures(ValueError) as error:
        if client is not None:
            client.close()
        raise EngineUnavailable(f"the Docker engine at {url!r} does not answer ({_last(error)}); start it") from error
    return client


def _settle(api: docker.APIClient) -> None:
    """Read the proxies and certificates that the environment names once.

    The SDK reads the environment at every request, which raises KeyError while another thread takes a variable away.
    """
    settings = api.merge_environment_settings(api.base_url, {}, None, api.verify, api.cert)
    api.proxies, api.verify, api.cert = settings["proxies"], settings["verify"], settings["cert"]
    api.trust_env = False


def here(host: str | None = None) -> bool:
    """Tell whether the engine is reached by a socket of this machine."""
    return (host or engine_address()).startswith(HERE)


def engine_address() -> str:
    """Return where the engine is, as the docker command decides it: DOCKER_HOST, then the context in use."""
    if url := os.environ.get("DOCKER_HOST"):
        return url
    return str(_context().Host).replace("http+unix://", HERE)


def _context() -> Any:
    """Return the context in use."""
    name = os.environ.get("DOCKER_CONTEXT") or ContextAPI.get_current_context().Name
    try:
        context = ContextAPI.get_context(name)
    except DockerException as error:
        raise EngineUnavailable(f"the docker context {name!r} cannot be read ({_last(error)}); remove it") from error
    if context is None or not context.Host:
        raise EngineUnavailable(f"no docker context {name!r} with an engine; `docker context ls` shows all")
    return context


def _tls(url: str, *, named: bool) -> Any:
    """Return the certificates for an engine elsewhere: from DOCKER_CERT_PATH and DOCKER_TLS_VERIFY, or the context."""
    if not url.startswith(("tcp://", "https://")):
        return None
    if not (named or os.environ.get("DOCKER_HOST")):
        return _context().TLSConfig
    return kwargs_from_env().get("tls")


def _knock(path: Path) -> None:
    """Connect once by hand: the kernel's answer tells apart what the SDK reports as one."""
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(ANSWER_SECONDS)
        try:
            probe.connect(str(path))
        except PermissionError as error:
            raise EngineUnavailable(
                f"this user may not use the Docker engine at {str(path)!r}; add the user to the group that owns it"
            ) from error
        except (FileNotFoundError, NotADirectoryError) as error:
            raise EngineUnavailable(
                f"no Docker engine: there is no socket {str(path)!r}; install Docker, or set DOCKER_HOST"
            ) from error
        except OSError as error:
            raise EngineUnavailable(
                f"the Docker engine at {str(path)!r} does not answer ({error}); start it"
            ) from error


@contextmanager
def outages(doing: str) -> Iterator[None]:
    """Turn the SDK's and the transport's errors into one SandboxError that says what was being done."""
    try:
        yield
    except failures() as error:
        raise SandboxError(f"{doing}: {_last(error)}; `nucleate doctor` looks at the engine") from error


def failures(*more: type[Exception]) -> tuple[type[Exception], ...]:
    """Return what the SDK and its transports raise; the one for SSH has errors of its own where it is in use."""
    ssh = sys.modules.get("paramiko")
    return (DockerException, RequestException, OSError, *([ssh.SSHException] if ssh else []), *more)


def _last(error: BaseException) -> str:
    """Return what the engine explains, or else the innermost reason, in one line."""
    while (explained := getattr(error, "explanation", None)) is None and error.__cause__ is not None:
        error = error.__cause__
    return " ".join(str(explained or error).split())[:300]
