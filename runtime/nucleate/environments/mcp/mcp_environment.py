"""An MCP server as an environment: its tools become functions, its results JSON, its errors FunctionErrors."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Self, TypeVar, cast

from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, Tool
from pydantic import BaseModel

from nucleate.environments.described_functions import FunctionsFileError, function_spec, namespace_of
from nucleate.environments.effects import EffectName
from nucleate.environments.mcp.link import BadAnswer, Link, Lost
from nucleate.environments.mcp.mcp_server import McpServer
from nucleate.environments.mcp.results import failure_of, is_ours, misfit_of, protocol_failure, value_of
from nucleate.environments.mcp.tool_descriptions import argument_names, as_function, function_names
from nucleate.errors import InputInvalid
from nucleate_sandbox import Effect, EnvironmentUnavailable, FunctionError, FunctionSpec, Json, JsonObject

M = TypeVar("M")


@dataclass(frozen=True, kw_only=True)
class _Listed:
    """What a server offers: tools and functions by the function's name, and why others are unusable.

    `every` holds all its tools as it lists them, and `names` what each is called as a function, where it is one.
    """

    every: tuple[Tool, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, Tool] = field(default_factory=dict)
    functions: Mapping[str, FunctionSpec] = field(default_factory=dict)
    unusable: Mapping[str, str] = field(default_factory=dict)


class McpEnvironment:
    """A connected server; close it, or use it in a `with` block. Calls may come from several threads.

    `effects` says what the server's annotations do not (or say wrongly); `declared` replaces whole functions by what a
    function file says of them. A server that is gone is an EnvironmentUnavailable; the next call connects again. A call
    of a function that only reads is made again once if the connection ended under it.
    """

    def __init__(
        self,
        name: str,
        server: McpServer,
        *,
        effects: Mapping[str, EffectName] | None = None,
        declared: Mapping[str, FunctionSpec] | None = None,
    ) -> None:
        self._name = name
        self._server = server
        self._effects = dict(effects or {})
        self._declared = dict(declared or {})
        self._redactor = server.redactor()
        self._lock = threading.RLock()
        self._stale = threading.Event()
        self._closed = False
        self._link: Link | None = None
        self._listed = _Listed()
        self.refresh()
        self._check_effects()

    @property
    def name(self) -> str:
        return self._name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        """Return the functions; read again after the server has said that they changed, or was started again."""
        if self._stale.is_set() and self._link is not None and not self._link.lost:
            with suppress(EnvironmentUnavailable):  # what was known is known still; the next call says what is wrong
                self.refresh()
        return self._listed.functions

    @property
    def tools(self) -> Mapping[str, Tool]:
        """Return the server's own descriptions of its tools, by the function's name."""
        return self._listed.tools

    @property
    def every(self) -> tuple[Tool, ...]:
        """Return all tools as the server lists them, also those that are no functions here."""
        return self._listed.every

    def function_of(self, tool: str) -> str | None:
        """Return what a tool of the server is called as a function; None where it is none."""
        return self._listed.names.get(tool)

    @property
    def unusable(self) -> Mapping[str, str]:
        """Return the tools that could not become functions, and why."""
        return self._listed.unusable

    def refresh(self) -> None:
        """Read the list of tools again."""
        link = self._connected()
        self._stale.clear()
        try:
            tools = link.tools()
        except (Lost, MCPError) as error:
            self._stale.set()
            raise self._unavailable(error) from error
        self._listed = self._read(tools, link.broken)

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Return the tool's result as JSON; raise FunctionError for what the tool or the server says is wrong."""
        result = self.result(name, arguments)
        if result.is_error:
            raise self._hidden(failure_of(name, result))
        value = value_of(self._listed.functions[name], result)
        misfit = misfit_of(self._listed.functions[name].returns, value)
        if misfit:
            raise self._hidden(
                FunctionError(f"{name}: the result is not what its schema says: {misfit}", kind="InvalidResult")
            )
        return value

    def result(self, name: str, arguments: JsonObject) -> CallToolResult:
        """Return the tool's whole result, with `isError` and every content block."""
        spec = self._spec(name)
        try:
            return self._cleaned(self._attempt(name, arguments, again=spec.effect is Effect.READ))
        except Lost as error:
            raise self._unavailable(error) from error
        except BadAnswer as error:
            raise self._hidden(FunctionError(f"{name}: {error}", kind="InvalidResult")) from error
        except MCPError as error:
            raise self._hidden(protocol_failure(name, error)) from error

    def pass_on(self, tool: str, arguments: JsonObject) -> CallToolResult:
        """Call a tool by the server's own name for it, with the very arguments; return its very answer.

        An error of the protocol that the server answers with is raised as it came: MCPError.
        """
        spec = self._listed.functions.get(self.function_of(tool) or "")
        again = spec is not None and spec.effect is Effect.READ
        try:
            with self._said_here(tool):
                return self._cleaned(self._asked(tool, arguments, again=again))
        except MCPError as error:
            if is_ours(error):
                raise self._hidden(protocol_failure(tool, error)) from error
            raise

    def asked(self, question: Callable[[Client], Awaitable[M]]) -> M:
        """Put another question of the protocol to the server; its errors are those of `pass_on`, or MCPError."""
        with self._said_here("the server"):
            return self._cleaned(self._connected().ask(question))

    @contextmanager
    def _said_here(self, whose: str) -> Iterator[None]:
        """Say what went wrong without the secrets that the server was given."""
        try:
            yield
        except Lost as error:
            raise self._unavailable(error) from error
        except BadAnswer as error:
            raise self._hidden(FunctionError(f"{whose}: {error}", kind="InvalidResult")) from error
        except MCPError as error:
            raise MCPError(error.code, self._redactor.hide(error.message), self._redactor.clean(error.data)) from error

    def named(self, function: str, arguments: JsonObject) -> JsonObject:
        """Return the server's own names of arguments as those of the function's parameters."""
        odd = argument_names(cast("Json", self._listed.tools[function].input_schema))
        own = {wire: name for name, wire in odd.items()}
        return {own.get(key, key): value for key, value in arguments.items()}

    def fork(self) -> McpEnvironment:
        """A server has one state, which nobody can copy."""
        raise FunctionError(f"environment {self._name!r} is a server's: it cannot be copied", kind="CannotFork")

    def close(self) -> None:
        """End the connection, and the server if it was started here."""
        with self._lock:
            self._closed = True
            if self._link is not None:
                self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _attempt(self, name: str, arguments: JsonObject, *, again: bool) -> CallToolResult:
        tool = self._listed.tools[name]
        odd = argument_names(cast("Json", tool.input_schema))
        return self._asked(tool.name, {odd.get(key, key): value for key, value in arguments.items()}, again=again)

    def _asked(self, tool: str, given: JsonObject, *, again: bool) -> CallToolResult:
        try:
            return self._connected().call(tool, given)
        except Lost as lost:
            if not (again or lost.unsent):
                raise
        return self._connected().call(tool, given)

    def _connected(self) -> Link:
        """Return the live connection, or make one."""
        with self._lock:
            if self._closed:
                raise EnvironmentUnavailable(f"environment {self._name!r} is closed; open it again")
            if self._link is not None and not self._link.lost:
                return self._link
            if self._link is not None:
                self._link.close()
                self._stale.set()
            try:
                self._link = Link(self._server, changed=self._stale.set)
            except Lost as error:
                raise self._unavailable(error) from error
            return self._link

    def _spec(self, name: str) -> FunctionSpec:
        found = self.functions.get(name)
        if found is not None:
            return found
        reason = self._listed.unusable.get(name)
        raise FunctionError(
            f"{self._name!r} has no function {name!r}{f': {reason}' if reason else ''}", kind="UnknownFunction"
        )

    def _read(self, tools: list[Tool], broken: Mapping[str, str]) -> _Listed:
        functions: dict[str, FunctionSpec] = {}
        known: dict[str, Tool] = {}
        unusable = {f"{namespace_of(self._name)}.{name}": reason for name, reason in broken.items()}
        names = function_names(tool.name for tool in tools)
        for tool in tools:
            try:
                spec = self._function(tool, names)
            except FunctionsFileError as error:
                unusable[f"{namespace_of(self._name)}.{tool.name}"] = str(error)
                continue
            if spec.name in functions:
                unusable[tool.name] = f"the server names two tools {tool.name!r}; the first one is used"
                continue
            functions[spec.name], known[spec.name] = spec, tool
        ordered = {name: functions[name] for name in sorted(functions)}
        first = {tool.name: tool for tool in reversed(tools)}
        return _Listed(
            every=tuple(tool for tool in tools if first[tool.name] is tool),
            names={tool.name: name for name, tool in known.items()},
            tools=known,
            functions=ordered,
            unusable=unusable,
        )

    def _function(self, tool: Tool, names: Mapping[str, str]) -> FunctionSpec:
        item = cast("Json", tool.model_dump(mode="json", by_alias=True, exclude_none=True))
        spec = function_spec(as_function(item, names), place=f"tool {tool.name!r}", namespace=namespace_of(self._name))
        spec = self._declared.get(spec.name, spec)
        effect = self._effects.get(spec.name)
        return spec if effect is None else replace(spec, effect=Effect(effect))

    def _check_effects(self) -> None:
        for name in [*self._effects, *self._declared]:
            if name not in self._listed.functions:
                self.close()
                known = ", ".join(self._listed.functions) or "none"
                raise InputInvalid(f"{name!r} is not a function of {self._name!r}; it has {known}")

    def _cleaned(self, answer: M) -> M:
        if not self._redactor.knows or not isinstance(answer, BaseModel):
            return answer
        value = cast("Json", answer.model_dump(mode="json", by_alias=True, exclude_unset=True))
        return type(answer).model_validate(self._redactor.clean(value))

    def _unavailable(self, error: Exception) -> EnvironmentUnavailable:
        reason = self._redactor.hide(str(error))
        place = self._redactor.hide(self._server.place)
        return EnvironmentUnavailable(f"the MCP server of {self._name!r} ({place}) does not answer: {reason}")

    def _hidden(self, error: FunctionError) -> FunctionError:
        return FunctionError(self._redactor.hide(error.message), kind=error.kind)
