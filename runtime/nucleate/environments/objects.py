"""Plain Python objects as an environment: public methods become functions `namespace.method`."""

from __future__ import annotations

import asyncio
import copy
import difflib
import inspect
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, cast

from pydantic_core import PydanticSerializationError, to_jsonable_python

from nucleate.environments.describe import Undescribable, describe
from nucleate.environments.effects import EffectName
from nucleate.environments.methods import Method
from nucleate_sandbox import Effect, FunctionError, FunctionSpec, Json, JsonError, JsonObject, canonical


@dataclass(frozen=True, kw_only=True)
class _Described:
    """The methods of one class, and why others could not become functions."""

    methods: Mapping[str, Method] = field(default_factory=dict)
    unusable: Mapping[str, str] = field(default_factory=dict)


class ObjectEnvironment:
    """Objects by namespace; a single object takes the environment's name as its namespace.

    Arguments are checked strictly against the type hints. An exception of a method becomes a FunctionError whose kind
    is the exception's class name. `unusable` says which public methods could not be offered, and why; the others work.
    `effects` overrides what the methods declare, for classes that cannot be decorated. `state` tells from the objects
    what there is to compare: admission then sees whether a tool leaves behind what the recorded calls left.
    """

    def __init__(
        self,
        name: str,
        objects: Mapping[str, object] | object,
        *,
        effects: Mapping[str, EffectName] | None = None,
        state: Callable[[Mapping[str, Any]], Json] | None = None,
    ) -> None:
        self._name = name
        self._state = state
        self._effects = dict(effects or {})
        self._objects: dict[str, object] = (
            {str(key): value for key, value in objects.items()} if isinstance(objects, Mapping) else {name: objects}
        )
        self._methods: dict[str, tuple[str, Method]] = {}
        self.unusable: dict[str, str] = {}
        for namespace, item in self._objects.items():
            self._add(namespace, item)
        self._functions = {name: _spec(name, method) for name, (_, method) in self._methods.items()}
        self._override()

    @property
    def name(self) -> str:
        return self._name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._functions

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Return the method's result as JSON; raise FunctionError for bad arguments and for what the method raised."""
        namespace, method = self._method(name)
        try:
            positional, keywords = method.bind(arguments)
        except FunctionError as error:
            raise FunctionError(f"{name}: {error.message}", kind=error.kind) from error
        function = getattr(self._objects[namespace], method.attribute)
        return _json(name, _run(function, positional, keywords))

    def fork(self) -> ObjectEnvironment:
        """Return a deep copy of all objects; what they share among each other stays shared in the copy."""
        try:
            objects = copy.deepcopy(self._objects)
        except Exception as error:
            raise FunctionError(f"environment {self._name!r} cannot be copied: {error}", kind="CannotFork") from error
        return type(self)(self._name, objects, effects=self._effects, state=self._state)

    def state(self) -> Json:
        """Return what `state` tells of the objects; None where it was not given."""
        return None if self._state is None else self._state(self._objects)

    def _add(self, namespace: str, item: object) -> None:
        if not namespace.isidentifier():
            raise ValueError(f"namespace {namespace!r} is not an identifier; use letters, digits and _")
        described = _methods_of(cast("Hashable", type(item)))
        self._methods |= {f"{namespace}.{key}": (namespace, method) for key, method in described.methods.items()}
        self.unusable |= {f"{namespace}.{key}": reason for key, reason in described.unusable.items()}

    def _override(self) -> None:
        for name, declared in self._effects.items():
            if name not in self._functions:
                raise ValueError(f"effects names {name!r}, which is not a function of {self._name!r}")
            self._functions[name] = replace(self._functions[name], effect=Effect(declared))

    def _method(self, name: str) -> tuple[str, Method]:
        if name in self._methods:
            return self._methods[name]
        raise FunctionError(f"{self._name!r} has no function {name!r}{self._advice(name)}", kind="UnknownFunction")

    def _advice(self, name: str) -> str:
        if name in self.unusable:
            return f": {self.unusable[name]}"
        similar = difflib.get_close_matches(name, self._methods, n=1)
        return f"; did you mean {similar[0]!r}?" if similar else ""


@cache
def _methods_of(kind: Any) -> _Described:
    methods: dict[str, Method] = {}
    unusable: dict[str, str] = {}
    for name, member in inspect.getmembers_static(kind):
        function = member.__func__ if isinstance(member, staticmethod | classmethod) else member
        if name.startswith("_") or not inspect.isroutine(function):
            continue
        try:
            methods[name] = describe(name, function, bound=not isinstance(member, staticmethod))
        except Undescribable as error:
            unusable[name] = str(error)
    return _Described(methods=methods, unusable=unusable)


def _spec(name: str, method: Method) -> FunctionSpec:
    return FunctionSpec(
        name=name, doc=method.doc, parameters=method.parameters, returns=method.returns, effect=method.effect
    )


def _run(function: Callable[..., Any], positional: list[object], keywords: dict[str, object]) -> object:
    try:
        result = function(*positional, **keywords)
        return asyncio.run(result) if inspect.iscoroutine(result) else result
    except FunctionError:
        raise
    except Exception as error:
        raise FunctionError(str(error) or type(error).__name__, kind=type(error).__name__) from error


def _json(name: str, result: object) -> Json:
    try:
        value = cast("Json", to_jsonable_python(result))
        canonical(value).encode()
    except (PydanticSerializationError, JsonError, UnicodeError) as error:
        raise FunctionError(f"{name} returned a value without a JSON form: {error}", kind="InvalidResult") from error
    return value
