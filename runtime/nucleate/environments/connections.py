"""How an environment is reached, as a value that can be stored: secrets are references, and stay so."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeGuard

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from nucleate.environments.effects import EffectName
from nucleate.environments.function_files import read_functions
from nucleate.environments.mcp.mcp_server import McpServer
from nucleate.environments.objects import ObjectEnvironment
from nucleate.environments.openapi.document import MAX_DOCUMENT
from nucleate.errors import InputInvalid
from nucleate_sandbox import Environment, EnvironmentUnavailable, FunctionSpec

SECONDS = 30.0
ADDRESSES = ("http://", "https://")


class _Connection(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    effects: dict[str, EffectName] = Field(default_factory=dict)


class ObjectConnection(_Connection):
    """An object of an importable module, or what a function of it returns."""

    kind: Literal["object"] = "object"
    target: str

    @property
    def place(self) -> str:
        return self.target

    def open(self, name: str) -> Environment:
        found = load_object(self.target)
        if not is_environment(found):
            return _of_objects(name, found, self.effects)
        if found.name != name or self.effects:
            raise InputInvalid(
                f"{self.target!r} is the environment {found.name!r}; add it by that name, and let it say its effects"
            )
        return found


class McpConnection(_Connection):
    """An MCP server; `functions` is a file that says more of its tools than the server does."""

    kind: Literal["mcp"] = "mcp"
    command: tuple[str, ...] = ()
    url: str = ""
    variables: dict[str, str] = Field(default_factory=dict)
    headers: dict[str, str] = Field(default_factory=dict)
    folder: str = ""
    functions: str = ""

    @property
    def place(self) -> str:
        return self.server.place

    @property
    def server(self) -> McpServer:
        return McpServer(
            command=self.command,
            url=self.url,
            variables=self.variables,
            headers=self.headers,
            folder=Path(self.folder) if self.folder else None,
        )

    def open(self, name: str) -> Environment:
        from nucleate.environments.mcp.mcp_environment import McpEnvironment  # the SDK is imported by who needs it

        return McpEnvironment(name, self.server, effects=self.effects, declared=_declared(self.functions, name))


class OpenApiConnection(_Connection):
    """A service: the file or the address of its document, and which secrets go with its calls."""

    kind: Literal["openapi"] = "openapi"
    document: str
    base_url: str = ""
    secrets: dict[str, str] = Field(default_factory=dict)

    @property
    def place(self) -> str:
        return self.document

    def open(self, name: str) -> Environment:
        from nucleate.environments.openapi.document import parsed
        from nucleate.environments.openapi.openapi_environment import OpenApiEnvironment
        from nucleate.environments.openapi.wire import base_of, first_server

        document = parsed(read_document(self.document))
        base = self.base_url or None
        if base is None and self.document.startswith(ADDRESSES) and not first_server(document).startswith(ADDRESSES):
            base = base_of(document, given=None, source=self.document)
        return OpenApiEnvironment(name, document, base_url=base, secrets=self.secrets, effects=self.effects)


class FunctionsConnection(_Connection):
    """A function file: it is known what there is, and nothing can be called."""

    kind: Literal["functions"] = "functions"
    file: str

    @property
    def place(self) -> str:
        return self.file

    def open(self, name: str) -> Environment:
        raise InputInvalid(
            f"the environment {name!r} is known from the file {self.file!r} alone, so nothing answers its calls; "
            "nucleate env add --replace says how to reach it"
        )


Connection: TypeAlias = ObjectConnection | McpConnection | OpenApiConnection | FunctionsConnection
_CONNECTION: TypeAdapter[Connection] = TypeAdapter(Connection)


def connection_of(text: str) -> Connection:
    """Return a stored connection."""
    return _CONNECTION.validate_json(text)


def load_object(target: str) -> Any:
    """Return the object at MODULE:NAME, or what it returns where it is a function or a class.

    Modules of the working folder are found, too, after all that are installed.
    """
    module, _, name = target.partition(":")
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    try:
        found = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputInvalid(f"the environment {target!r} cannot be loaded ({error}); give MODULE:NAME") from error
    return found() if callable(found) else found


def _of_objects(name: str, found: object, effects: Mapping[str, EffectName]) -> Environment:
    try:
        return ObjectEnvironment(name, found, effects=effects)
    except ValueError as error:
        raise InputInvalid(str(error)) from error


def is_environment(found: object) -> TypeGuard[Environment]:
    """Return whether an object is an environment itself, and no object whose methods would make one."""
    return all(hasattr(found, part) for part in ("functions", "call", "name"))


def read_document(place: str) -> bytes:
    """Return a file, or what stands at an address, within a bound."""
    if not place.startswith(ADDRESSES):
        try:
            return Path(place).read_bytes()
        except OSError as error:
            raise InputInvalid(f"the file {place!r} cannot be read ({error.strerror or error})") from error
    import httpx  # with its own command line and colours; most connections are to files and objects

    try:
        with httpx.stream("GET", place, timeout=SECONDS, trust_env=False) as response:
            response.raise_for_status()
            return b"".join(_bounded(place, response.iter_bytes()))
    except httpx.HTTPStatusError as error:
        raise InputInvalid(f"{place!r} is answered with status {error.response.status_code}") from error
    except httpx.HTTPError as error:
        raise EnvironmentUnavailable(f"{place!r} cannot be read: {error}") from error


def _bounded(place: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > MAX_DOCUMENT:
            raise InputInvalid(f"{place!r} has more than {MAX_DOCUMENT} bytes; download what is needed of it")
        yield chunk


def _declared(file: str, name: str) -> Mapping[str, FunctionSpec]:
    return read_functions(read_document(file), environment=name).functions if file else {}
