"""The library tools that can be called here, under names that are unique, with what is broken kept apart."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from mcp_types import Tool as Description

from nucleate.mcp.checking import usable
from nucleate.mcp.finding import index_of
from nucleate.mcp.listing import listed
from nucleate_sandbox import Environment
from nucleate_text_memory import Embedder
from nucleate_tool_library import State, Tool, ToolLibrary


@dataclass(frozen=True, kw_only=True)
class Served:
    """A tool, the environment to call it in, and what clients are told of it; `broken` says why it is unusable."""

    name: str
    tool: Tool
    environment: Environment
    description: Description | None = None
    broken: str = ""


@dataclass(frozen=True, kw_only=True)
class Catalogue:
    """Everything that is served at one moment, by the name that clients use."""

    served: Mapping[str, Served] = field(default_factory=dict)

    @property
    def sound(self) -> Sequence[Served]:
        """Return what can be called."""
        return [item for item in self.served.values() if item.description is not None]


class Shelf:
    """Reads the catalogue again when the library has changed; tools in these states may be called."""

    def __init__(
        self,
        library: ToolLibrary,
        environments: Sequence[Environment],
        *,
        states: Collection[State],
        embedder: Embedder,
    ) -> None:
        self._library = library
        self._environments = {environment.name: environment for environment in environments}
        self._states = states
        self._embedder = embedder
        self._index = index_of({}, embedder)
        self._lock = threading.Lock()
        self._revision: int | None = None
        self._catalogue = Catalogue()

    @property
    def environments(self) -> Mapping[str, Environment]:
        """Return the environments that tools are called in, by name."""
        return self._environments

    def now(self) -> Catalogue:
        """Return what is served."""
        with self._lock:
            revision = self._library.revision()
            if revision != self._revision:
                scopes = sorted(self._environments)
                tools = [tool for scope in scopes for tool in self._library.tools(scope=scope, states=self._states)]
                self._catalogue = catalogue(tools, self._environments)
                sound = {item.name: item.tool.version for item in self._catalogue.sound}
                self._index = index_of(sound, self._embedder)
                self._revision = revision
            return self._catalogue

    def search(self, query: str, *, limit: int) -> tuple[Served, ...]:
        """Return the tools that answer a query best, best first."""
        known = self.now().served
        best = [name for name, score in self._index.rank(query)[:limit] if score > 0]
        return tuple(known[name] for name in best if name in known)


def catalogue(tools: Sequence[Tool], environments: Mapping[str, Environment]) -> Catalogue:
    """Return tools under the names that clients use: their own, or with the scope where two scopes share one."""
    shared = {name for name, count in Counter(tool.name for tool in tools).items() if count > 1}
    named = {f"{tool.scope}__{tool.name}" if tool.name in shared else tool.name: tool for tool in tools}
    return Catalogue(
        served={name: served(name, named[name], environments[named[name].scope]) for name in sorted(named)}
    )


def served(name: str, tool: Tool, environment: Environment) -> Served:
    """Return one tool as it is served; what is wrong with its schemas concerns no other tool."""
    signature = tool.version.signature
    if not usable(signature.parameters):
        return Served(name=name, tool=tool, environment=environment, broken="its parameters are no usable JSON schema")
    description = listed(name, tool.version, environment.functions)
    if not usable(description.output_schema or {}):
        description = description.model_copy(update={"output_schema": None})
    return Served(name=name, tool=tool, environment=environment, description=description)
