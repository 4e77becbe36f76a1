"""Which version serves a call: the active one, or for a share of the calls that match, the one on trial."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from nucleate_sandbox import FunctionSpec, JsonObject, canonical
from nucleate_sandbox.arguments import problems
from nucleate_tool_library import State, ToolLibrary, ToolVersion
from nucleate_tool_library.trials.canaries import Standing


@dataclass(frozen=True, kw_only=True)
class Route:
    """A call that concerns a version on trial: `chosen` says whether that one serves it, `fits` whether it could.

    `previous` is what serves otherwise; None for a tool's first version.
    """

    candidate: ToolVersion
    previous: ToolVersion | None
    chosen: bool
    fits: bool = True

    @property
    def serves(self) -> ToolVersion:
        """Return the version that serves this call."""
        return self.candidate if self.previous is None or (self.chosen and self.fits) else self.previous


@dataclass(frozen=True, kw_only=True)
class Router:
    """Routes by a hash of version and input, so that the same call always takes the same way."""

    library: ToolLibrary
    share: float

    def route(self, version: ToolVersion, arguments: JsonObject, standing: Standing) -> Route | None:
        """Return the way of a call of a tool's version in force; None where nothing is on trial."""
        if standing.pinned or standing.version_id != version.id:
            return None
        if standing.state is State.CANARY:
            return Route(candidate=version, previous=None, chosen=True)
        if standing.canary is None or standing.state is not State.ACTIVE:
            return None
        candidate = self.library.version(standing.canary)
        chosen = within(candidate.id, canonical(arguments), self.share)
        return Route(candidate=candidate, previous=version, chosen=chosen, fits=fits(candidate, arguments))


def within(version_id: str, text: str, share: float) -> bool:
    """Return whether an input belongs to the share of a version."""
    digest = hashlib.sha256(f"{version_id} {text}".encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64


def case_of(arguments: JsonObject) -> str:
    """Return the hash of an input, by which a case is known."""
    return hashlib.sha256(canonical(arguments).encode()).hexdigest()[:16]


def fits(version: ToolVersion, arguments: JsonObject) -> bool:
    """Return whether a version takes these arguments."""
    return not problems(FunctionSpec(name=version.name, parameters=version.signature.parameters), arguments)
