"""What one hostile program is: what it tries, how it attacks, what must come of it, and its benign twin."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent
from typing import Protocol

from nucleate_sandbox import Json, Limit, Limits, Sandbox, canonical

QUICK = Limits(wall_seconds=30.0, cpu_seconds=5.0)
SHORT = Limits(wall_seconds=0.5)


@dataclass(frozen=True, kw_only=True)
class Ground:
    """Where an attack takes place: a sandbox, and that of another tenant beside it."""

    sandbox: Sandbox
    other: Sandbox


@dataclass(frozen=True, kw_only=True)
class Ending:
    """What came of an attack: a value, or the kind of a failure, or a limit; and what the environment was made to do."""

    value: Json = None
    kind: str = ""
    unsupported: bool = False
    limit: Limit | None = None
    deeds: tuple[str, ...] = ()

    def __str__(self) -> str:
        deeds = f" after {len(self.deeds)} × {self.deeds[0]}" if self.deeds else ""
        if self.limit is not None:
            return f"limit: {self.limit.value}{deeds}"
        if self.kind:
            return self.kind + (" (unsupported)" if self.unsupported else "") + deeds
        text = canonical(self.value)
        return f"`{text if len(text) <= 60 else text[:59] + '…'}`{deeds}"

    @property
    def manner(self) -> str:
        """The kind of outcome, for counting."""
        if self.limit is not None:
            return "ended at a limit"
        if self.kind == "ProtocolError":
            return "refused as a forgery"
        if self.kind in ("ProcessExit", "ProcessKilled", "SystemExit"):
            return "lost its process"
        return "raised inside" if self.kind else "came to nothing"


Expect = tuple[Ending, ...]


def gives(value: Json, *deeds: str) -> Expect:
    """Expect that the program ends by itself with a value that shows what it could not do."""
    return (Ending(value=value, deeds=deeds),)


def fails(*kinds: str, deeds: tuple[str, ...] = ()) -> Expect:
    """Expect a failure of one of these kinds and no limit."""
    return tuple(Ending(kind=kind, deeds=deeds) for kind in kinds)


def lacks(*kinds: str, deeds: tuple[str, ...] = ()) -> Expect:
    """Expect that the backend has no such construct, and says so."""
    return tuple(Ending(kind=kind, unsupported=True, deeds=deeds) for kind in kinds)


def hits(*limits: Limit, deeds: tuple[str, ...] = ()) -> Expect:
    """Expect one of these limits."""
    return tuple(Ending(limit=limit, deeds=deeds) for limit in limits)


def in_words(expect: Expect) -> str:
    """Return the acceptable endings in a few words."""
    return " or ".join(map(str, expect)).replace("|", "\\|")


class Attack(Protocol):
    """A way to use a sandbox."""

    def on(self, ground: Ground) -> Ending: ...


@dataclass(frozen=True, kw_only=True)
class Program:
    """A hostile program with the endings that Docker may give it, and a harmless one of its shape with its exact value."""

    name: str
    tries: str
    attack: Attack
    docker: Expect
    twin: Attack
    value: Json
    deeds: tuple[str, ...] = ()


def program(code: str, imports: str = "") -> str:
    """Return a module whose function `tool` has these lines."""
    lines = dedent(code).strip().splitlines()
    head = f"import {imports}\n" if imports else ""
    return head + "def tool():\n" + "".join(f"    {line}\n" for line in lines)
