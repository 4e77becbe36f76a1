"""The benchmark's API objects as one environment, with a snapshot of everything that they hold."""

from __future__ import annotations

import copy
import inspect
import random
from collections.abc import Mapping
from typing import Any

from evals.bfcl.source import APIS, Task
from nucleate_sandbox import FunctionError, FunctionSpec, Json, JsonObject

SCOPE = "bfcl"
LEFT_OUT = frozenset({"_api_description", "_last_modified"})
"""Not state: a description, and the wall-clock time at which a file was written."""


class BfclEnvironment:
    """One fresh set of API objects; a result with an `error` is an error of the environment, as its authors mean it."""

    def __init__(self, functions: Mapping[str, FunctionSpec], objects: Mapping[str, Any]) -> None:
        self._functions = functions
        self._objects = dict(objects)

    @property
    def name(self) -> str:
        return SCOPE

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._functions

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Call one function; an unknown one, a wrong argument and a reported error are FunctionErrors."""
        if name not in self._functions:
            raise FunctionError(f"no function {name!r}; the environment lists {len(self._functions)}", kind="Unknown")
        namespace, _, method = name.partition(".")
        try:
            result = getattr(self._objects[namespace], method)(**copy.deepcopy(arguments))
        except Exception as error:  # the benchmark, too, takes whatever its classes raise for an answer
            raise FunctionError(str(error), kind=type(error).__name__) from error
        if isinstance(result, dict) and result.get("error"):
            raise FunctionError(str(result["error"]), kind=f"{namespace.capitalize()}Error")
        return to_json(result)

    def fork(self) -> BfclEnvironment:
        """Return an independent copy in the same state."""
        return BfclEnvironment(self._functions, copy.deepcopy(self._objects))

    def parameter_names(self, name: str) -> list[str]:
        """Return a function's parameters in the order of its signature."""
        namespace, _, method = name.partition(".")
        return list(inspect.signature(getattr(self._objects[namespace], method)).parameters)

    def state(self) -> dict[str, Any]:
        """Return everything that the objects hold, private attributes and random generators too, as plain values."""
        return {namespace: snapshot(item) for namespace, item in self._objects.items()}


def fresh(task: Task, functions: Mapping[str, FunctionSpec], classes: Mapping[str, type]) -> BfclEnvironment:
    """Return the environment in which a task starts; an API that the task does not configure has its defaults."""
    objects = {api.namespace: _instance(classes[api.namespace], task.configuration.get(api.class_name)) for api in APIS}
    return BfclEnvironment(functions, objects)


def _instance(api: type, configuration: dict[str, Any] | None) -> Any:
    instance = api()
    if hasattr(instance, "_load_scenario"):
        load = instance._load_scenario  # noqa: SLF001 — the benchmark's own way to set a scenario
        load(copy.deepcopy(configuration or {}))
    return instance


def to_json(value: Any) -> Json:
    """Return an API's answer as JSON: keys become text, tuples and sets lists, other numbers floats, the rest text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, dict):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((to_json(item) for item in value), key=repr)
    return float(value) if hasattr(value, "__float__") else str(value)


def snapshot(value: Any, seen: tuple[int, ...] = ()) -> Any:
    """Return a comparable picture of any value; an object inside itself (a folder's parent) is named, not entered."""
    if id(value) in seen:
        return f"<{type(value).__name__} above>"
    inner = (*seen, id(value))
    if isinstance(value, random.Random):
        return value.getstate()
    if isinstance(value, dict):
        return {key: snapshot(item, inner) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [snapshot(item, inner) for item in value]
    if hasattr(value, "__dict__"):
        held = {name: item for name, item in vars(value).items() if name not in LEFT_OUT}
        return (type(value).__name__, snapshot(held, inner))
    return value
