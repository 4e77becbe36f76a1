"""Serves the multi-turn APIs of the Berkeley Function-Calling Leaderboard. Needs the files of `bfcl-eval` alone."""

from __future__ import annotations

import copy
import importlib
import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from serving import changes, serve

SOURCES = "bfcl_eval.eval_checker.multi_turn_eval.func_source_code"
APIS = {
    "files": ("gorilla_file_system", "GorillaFileSystem"),
    "math": ("math_api", "MathAPI"),
    "messages": ("message_api", "MessageAPI"),
    "posts": ("posting_api", "TwitterAPI"),
    "tickets": ("ticket_api", "TicketAPI"),
    "trading": ("trading_bot", "TradingBot"),
    "travel": ("travel_booking", "TravelAPI"),
    "vehicle": ("vehicle_control", "VehicleControlAPI"),
}
LEFT_OUT = frozenset({"_api_description", "_last_modified"})
"""Not state: a description, and the wall-clock time at which a file was written."""


class Apis:
    """The objects of one task."""

    def __init__(self, objects: dict[str, Any], before: Any = None) -> None:
        self.objects = objects
        self.before = before if before is not None else picture(objects)

    def call(self, function: str, arguments: Any) -> Any:
        """Call `api.function`; a result with an `error` is an error, as the benchmark's authors mean it."""
        api, _, method = function.partition(".")
        result = getattr(self.objects[api], method)(**arguments)
        if isinstance(result, dict) and result.get("error"):
            raise RuntimeError(str(result["error"]))
        return plain(result)

    act = call

    def copy(self) -> Apis:
        """Return an independent copy."""
        return Apis(copy.deepcopy(self.objects), self.before)

    def state(self) -> Any:
        """Return what differs from the start of the task."""
        return changes(self.before, picture(self.objects))


def stand_in_packages() -> None:
    """Register empty packages that only know their folder: the real ones import what is not installed."""
    spec = importlib.util.find_spec("bfcl_eval")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    folder, name = Path(next(iter(spec.submodule_search_locations))).parent, ""
    for part in SOURCES.split("."):
        name, folder = f"{name}.{part}".lstrip("."), folder / part
        module = ModuleType(name)
        module.__path__ = [str(folder)]
        sys.modules[name] = module


def start(domain: str, task: Any) -> Any:
    """Return the world of a task: an API that it does not configure has its defaults."""
    del domain
    configuration = task.get("configuration") or {}
    return Apis({api: instance(*at, configuration.get(at[1])) for api, at in APIS.items()})


def instance(module: str, name: str, configuration: Any) -> Any:
    """Return one API as a task finds it."""
    made = getattr(importlib.import_module(f"{SOURCES}.{module}"), name)()
    if hasattr(made, "_load_scenario"):
        made._load_scenario(copy.deepcopy(configuration or {}))  # noqa: SLF001 - the benchmark's own way to set a scenario
    return made


def functions(domain: str) -> Any:
    """Return nothing: the benchmark's documents describe its functions, and who asks reads them."""
    del domain
    return []


def entities(domain: str) -> Any:
    """Return nothing: every task has data of its own."""
    del domain
    return set()


def plain(value: Any) -> Any:
    """Return an answer as JSON: keys become text, sets sorted lists, other numbers floats, the rest text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=repr)
    return float(value) if hasattr(value, "__float__") else str(value)


def picture(value: Any, seen: tuple[int, ...] = ()) -> Any:
    """Return a comparable picture of any value; an object inside itself (a folder's parent) is named, not entered."""
    if id(value) in seen:
        return f"<{type(value).__name__} above>"
    inner = (*seen, id(value))
    if isinstance(value, random.Random):
        return repr(value.getstate())
    if isinstance(value, dict):
        return {str(key): picture(item, inner) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [picture(item, inner) for item in value]
    if hasattr(value, "__dict__"):
        return {name: picture(item, inner) for name, item in vars(value).items() if name not in LEFT_OUT}
    return value if isinstance(value, bool | int | float | str | None) else repr(value)


if __name__ == "__main__":
    stand_in_packages()
    serve(sys.modules[__name__])
