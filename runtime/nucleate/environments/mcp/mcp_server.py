"""Where an MCP server is: the command that starts it, or its address; secrets by reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nucleate.environments.secret_refs import Redactor, Secret, is_reference, read_all
from nucleate.errors import InputInvalid

MIB = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class McpServer:
    """One server. Either `command` or `url`; the rest has defaults.

    `variables` (of the process) and `headers` (of the requests) may hold references instead of values. A process is
    started with these variables, PATH and the few that name the user's home and terminal; it inherits nothing else.
    `seconds` bounds one call, `max_bytes` one message.
    """

    command: tuple[str, ...] = ()
    url: str = ""
    variables: Mapping[str, Secret] = field(default_factory=dict)
    headers: Mapping[str, Secret] = field(default_factory=dict)
    folder: Path | None = None
    seconds: float = 30.0
    max_bytes: int = 8 * MIB

    def __post_init__(self) -> None:
        if bool(self.command) == bool(self.url):
            raise InputInvalid("an MCP server is given by a command or by an address, one of the two")
        if self.url and not self.url.startswith(("http://", "https://")):
            raise InputInvalid(f"{self.url!r} is no address of an MCP server; it begins with https:// or http://")

    @property
    def place(self) -> str:
        """Return the command or the address, as it is shown to people."""
        return " ".join(self.command) if self.command else self.url

    def redactor(self) -> Redactor:
        """Return what hides this server's secrets."""
        values = {**self.variables, **self.headers}
        hidden = {name: value for name, value in values.items() if callable(value) or is_reference(value)}
        return Redactor(read_all(hidden).values())
