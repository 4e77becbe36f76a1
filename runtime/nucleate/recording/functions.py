"""Plain functions as an environment: an agent that has its own tools needs no class."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, NoReturn, TypeAlias

from nucleate.environments import ObjectEnvironment, read_functions
from nucleate.environments.effects import EffectName
from nucleate.errors import InputInvalid
from nucleate.recording.log import error_of
from nucleate.recording.stored import stored
from nucleate_sandbox import Effect, FunctionError, FunctionSpec, Json, JsonObject
from nucleate_text_memory.recordings.names import identifier

Dispatch: TypeAlias = Callable[[str, JsonObject], object]
Named: TypeAlias = Mapping[str, Callable[..., Any]]


class FunctionEnvironment:
    """Functions by name, or definitions of tools with one function that serves them all.

    `FunctionEnvironment("desk", [get_order])` describes functions by their type hints and docstrings; a name may be
    `namespace.name`. `FunctionEnvironment("desk", tools=TOOLS, dispatch=call)` takes what a model is told (in the form
    of OpenAI, Anthropic or MCP) and calls `dispatch(name, arguments)`. With both, the definitions describe and the
    functions are called. A definition that nothing serves is described alone: calling it is a FunctionError.
    """

    def __init__(
        self,
        name: str,
        functions: Named | Iterable[Callable[..., Any]] = (),
        *,
        tools: Iterable[Mapping[str, Any]] = (),
        dispatch: Dispatch | None = None,
        effects: Mapping[str, EffectName] | None = None,
    ) -> None:
        named = functions if isinstance(functions, Mapping) else _by_name(functions)
        self._name = name
        self._dispatch = dispatch
        self._inner = ObjectEnvironment(name, _objects(named, name))
        self.unusable = self._inner.unusable
        self._tools: dict[str, str] = {}
        self._functions = dict(self._inner.functions)
        self._define(tools)
        for function, effect in (effects or {}).items():
            self._declare(function, effect)

    @property
    def name(self) -> str:
        return self._name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._functions

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Call the function, or hand the call to `dispatch` under the name that its definition has."""
        if name in self._inner.functions or name not in self._functions:
            return self._inner.call(name, arguments)
        if self._dispatch is None:
            raise FunctionError(f"{name!r} is described here, and nothing serves it; give `dispatch`", kind="NotServed")
        try:
            return stored(self._dispatch(self._tools[name], arguments))
        except FunctionError:
            raise
        except Exception as error:
            raise FunctionError(error_of(error).message, kind=type(error).__name__) from error

    def fork(self) -> NoReturn:
        """Refuse: what plain functions change is not known, so no copy of it can be made."""
        raise FunctionError(f"environment {self._name!r} is of plain functions; it has no copies", kind="CannotFork")

    def _define(self, tools: Iterable[Mapping[str, Any]]) -> None:
        for item in tools:
            tool, spec = described(item, self._name)
            known = self._functions.get(spec.name)
            self._tools[spec.name] = tool
            returns, effect = (known.returns, known.effect) if known else (spec.returns, spec.effect)
            doc = spec.doc or (known.doc if known else "")
            self._functions[spec.name] = replace(spec, doc=doc, returns=returns, effect=effect)

    def _declare(self, function: str, effect: EffectName) -> None:
        name = function if function in self._functions else f"{identifier(self._name)}.{function}"
        if name not in self._functions:
            raise ValueError(f"effects names {function!r}, which is not a function of {self._name!r}")
        self._functions[name] = replace(self._functions[name], effect=Effect(effect))


def described(tool: Mapping[str, Any], environment: str) -> tuple[str, FunctionSpec]:
    """Return a tool's own name and what it is as a function; FunctionsFileError where it is no definition."""
    inner = tool.get("function")
    body = dict(inner) if isinstance(inner, Mapping) else dict(tool)
    own = str(body.get("name"))
    schema = next((body[key] for key in ("parameters", "input_schema", "inputSchema") if body.get(key)), None)
    plain = ".".join(map(identifier, own.split(".", 1)))
    form = {"name": plain, "description": body.get("description") or "", "parameters": schema}
    ((_, spec),) = read_functions(json.dumps([form]), environment=environment).functions.items()
    return own, spec


def _by_name(functions: Iterable[Callable[..., Any]]) -> Named:
    """Return functions by their own names; InputInvalid where one has none, or two have the same."""
    found: dict[str, Callable[..., Any]] = {}
    for item in functions:
        name = str(getattr(item, "__name__", type(item).__name__))
        if not name.isidentifier():
            raise InputInvalid(f"{name!r} is no name to call a function by; give a mapping of names to functions")
        if name in found:
            raise InputInvalid(f"two functions are named {name!r}; give a mapping of names to functions")
        found[name] = item
    return found


def _objects(functions: Named, environment: str) -> dict[str, object]:
    """Return an object for each namespace, whose static methods are the functions."""
    spaces: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for name, function in functions.items():
        space, _, last = name.rpartition(".")
        spaces[space or identifier(environment)][last] = staticmethod(function)
    return {space: type(space, (), members)() for space, members in spaces.items()}
