"""Reads where another MCP server is, as people write it: `COMMAND …`, an address, or either with a name before it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from nucleate.environments import McpServer
from nucleate.errors import InputInvalid

NAMED = re.compile(r"([a-z][a-z0-9_]{0,39})=(.+)", re.DOTALL)
UNFIT = re.compile(r"[^a-z0-9_]+")
RUNNERS = frozenset(
    {"npx", "uvx", "uv", "node", "python", "python3", "docker", "bash", "sh", "env", "tool", "run", "exec"}
)


@dataclass(frozen=True, kw_only=True)
class ServerPlace:
    """A server to connect to, and the name of the environment that it becomes."""

    name: str
    server: McpServer


def read_place(text: str) -> ServerPlace:
    """Read `github=npx -y @scope/github`, `npx -y @scope/github`, or `https://host/mcp`."""
    named = NAMED.fullmatch(text.strip())
    name, where = (named[1], named[2]) if named else ("", text.strip())
    if where.startswith(("http://", "https://")):
        return ServerPlace(name=name or _fit(urlsplit(where).hostname or "server"), server=McpServer(url=where))
    try:
        words = shlex.split(where)
    except ValueError as error:
        raise InputInvalid(f"the command {where!r} cannot be read: {error}") from error
    if not words:
        raise InputInvalid(f"{text!r} names no server; give a command or an address, as in 'notes=npx -y notes-server'")
    return ServerPlace(name=name or _name_of(words), server=McpServer(command=tuple(words)))


def read_places(texts: Sequence[str]) -> tuple[ServerPlace, ...]:
    """Read several; two of the same name are an error."""
    places = [read_place(text) for text in texts]
    names = [place.name for place in places]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise InputInvalid(f"two servers are named {twice[0]!r}; put another name before one: 'other_name=COMMAND'")
    return tuple(places)


def _name_of(words: Sequence[str]) -> str:
    """Return the first word that names the server rather than what runs it."""
    plain = [word for word in words if not word.startswith("-")]
    telling = [word for word in plain if Path(word).name.rstrip("0123456789.") not in RUNNERS]
    return _fit(Path((telling or plain or ["server"])[0]).stem)


def _fit(text: str) -> str:
    fit = UNFIT.sub("_", text.lower()).strip("_")[:40]
    return fit if fit[:1].isalpha() else f"server_{fit}".rstrip("_")
