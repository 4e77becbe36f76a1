"""The options of `nucleate env add`, and the connection that they describe."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, cast

import typer
from pydantic import ValidationError

from nucleate.environments.connections import (
    ADDRESSES,
    Connection,
    FunctionsConnection,
    McpConnection,
    ObjectConnection,
    OpenApiConnection,
)
from nucleate.environments.effects import EffectName
from nucleate.errors import InputInvalid

ObjectOption = Annotated[str | None, typer.Option("--object", help="MODULE:NAME of an object, or of what makes one.")]
McpOption = Annotated[str | None, typer.Option("--mcp", help="The command that starts an MCP server, as one word.")]
McpUrlOption = Annotated[str | None, typer.Option("--mcp-url", help="The address of an MCP server.")]
OpenApiOption = Annotated[str | None, typer.Option("--openapi", help="File or address of an OpenAPI 3 document.")]
FunctionsOption = Annotated[
    Path | None, typer.Option("--functions", help="A function file; with --mcp it says more than the server does.")
]
BaseUrlOption = Annotated[str, typer.Option("--base-url", help="Where an OpenAPI service is, if its document lies.")]
SecretOption = Annotated[
    list[str] | None, typer.Option("--secret", help="SCHEME=REFERENCE, a reference as env:NAME or file:PATH.")
]
HeaderOption = Annotated[list[str] | None, typer.Option("--header", help="NAME=REFERENCE for --mcp-url.")]
VariableOption = Annotated[
    list[str] | None, typer.Option("--variable", help="NAME=VALUE or NAME=REFERENCE for the process of --mcp.")
]
EffectOption = Annotated[
    list[str] | None, typer.Option("--effect", help="FUNCTION=read, write or destructive, where it is not said.")
]


@dataclass(frozen=True, kw_only=True)
class Reached:
    """What was given on the command line."""

    target: str | None = None
    mcp: str | None = None
    mcp_url: str | None = None
    openapi: str | None = None
    functions: Path | None = None
    base_url: str = ""
    secrets: Sequence[str] = ()
    headers: Sequence[str] = ()
    variables: Sequence[str] = ()
    effects: Sequence[str] = ()

    def connection(self, name: str) -> Connection:
        """Return the one connection that the options describe; InputInvalid for none, several, or one that is wrong."""
        ways = [way for way in (self.target, self.mcp, self.mcp_url, self.openapi) if way is not None]
        if len(ways) > 1 or not (ways or self.functions):
            raise InputInvalid("say once how it is reached: --object, --mcp, --mcp-url, --openapi or --functions")
        self._check_options()
        try:
            return self._connection(name)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise InputInvalid(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error

    def _connection(self, name: str) -> Connection:
        effects = cast(
            "dict[str, EffectName]", {_full(name, key): value for key, value in _pairs("--effect", self.effects)}
        )
        file = str(self.functions.resolve()) if self.functions else ""
        if self.target is not None:
            return ObjectConnection(target=self.target, effects=effects)
        if self.openapi is not None:
            place = self.openapi if self.openapi.startswith(ADDRESSES) else str(Path(self.openapi).resolve())
            secrets = dict(_pairs("--secret", self.secrets))
            return OpenApiConnection(document=place, base_url=self.base_url, secrets=secrets, effects=effects)
        if self.mcp is None and self.mcp_url is None:
            return FunctionsConnection(file=file)
        return McpConnection(
            command=_words(self.mcp or ""),
            folder=str(Path.cwd()) if self.mcp else "",
            url=self.mcp_url or "",
            variables=dict(_pairs("--variable", self.variables)),
            headers=dict(_pairs("--header", self.headers)),
            functions=file,
            effects=effects,
        )

    def _check_options(self) -> None:
        """Refuse an option that would go unheard."""
        belongs = (
            ("--base-url", self.base_url, self.openapi, "--openapi"),
            ("--secret", self.secrets, self.openapi, "--openapi"),
            ("--header", self.headers, self.mcp_url, "--mcp-url"),
            ("--variable", self.variables, self.mcp, "--mcp"),
        )
        for option, given, way, wanted in belongs:
            if given and way is None:
                raise InputInvalid(f"{option} goes with {wanted}; leave it out")
        if self.functions and (self.target or self.openapi):
            raise InputInvalid("--functions goes with --mcp or --mcp-url, or stands alone; leave it out")


def _words(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise InputInvalid(f"--mcp {command!r} is no command: {error}") from error


def _pairs(option: str, words: Sequence[str]) -> list[tuple[str, str]]:
    pairs = [word.partition("=") for word in words]
    for name, equals, _ in pairs:
        if not name or not equals:
            raise InputInvalid(f"{option} takes NAME=VALUE, and {name!r} has no =")
    return [(name, value) for name, _, value in pairs]


def _full(environment: str, function: str) -> str:
    return function if "." in function else f"{environment}.{function}"
