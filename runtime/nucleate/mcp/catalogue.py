"""The library tools that can be called here, under names that are unique, with what is broken kept apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from mcp_types import Tool as Description

from nucleate.mcp.checking import usable
from nucleate.mcp.finding import index_of
from nucleate.mcp.listing import listed
from nucleate_sandbox import Environment
from nucleate_text_memory import Embedder
from nucleate_text_memory.retrieval.ranking import DocumentIndex
from nucleate_tool_library import Kept, State, Tool, ToolLibrary


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

    served: Mapping[str, Served]

    @property
    def sound(self) -> Sequence[Served]:
        """Return what can be called."""
        return [item for item in self.served.values() if item.description is not None]


class CatalogueReader:
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
        self._kept: Kept[None, tuple[Catalogue, DocumentIndex]] = Kept(library, self._read)

    @property
    def environments(self) -> Mapping[str, Environment]:
        """Return the environments that tools are called in, by name."""
        return self._environments

    def now(self) -> Catalogue:
        """Return what is served."""
        return self._kept.get(None)[0]

    def search(self, query: str, *, limit: int) -> tuple[Served, ...]:
        """Return the tools that answer a query best, best first."""
        known, index = self._kept.get(None)
        return tuple(known.served[name] for name, score in index.rank(query)[:limit] if score > 0)

    def _read(self, _: None) -> tuple[Catalogue, DocumentIndex]:
        scopes = sorted(self._environments)
        tools = [tool for scope in scopes for tool in self._library.tools(scope=scope, states=self._states)]
        found = catalogue(tools, self._environments)
        return found, index_of({item.name: item.tool.version for item in found.sound}, self._embedder)


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
