"""Serves AgentDojo's suites. Needs `agentdojo`."""

from __future__ import annotations

import copy
import json
from functools import cache
from typing import Any

from agentdojo.agent_pipeline.tool_execution import tool_result_to_str
from agentdojo.functions_runtime import FunctionsRuntime
from agentdojo.task_suite.load_suites import get_suites
from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python
from serving import changes, entities_in, serve

VERSION = "v1.2.2"
WRITES = (
    "send create add delete cancel reschedule share append update reserve schedule post invite remove book set clear"
)


class Refused(Exception):
    """What the suite says where a function raises."""


class Suite:
    """One suite's environment as a task finds it."""

    def __init__(self, domain: str, environment: Any, *, structured: bool = False) -> None:
        self.domain = domain
        self.structured = structured
        self.environment = environment
        self.before = environment.model_dump(mode="json")

    def call(self, function: str, arguments: Any) -> Any:
        """Call a function; the answer is the text that an agent reads, or its JSON where the task asks for that."""
        result, error = runtime(self.domain).run_function(self.environment, function, arguments)
        if error is not None:
            kind, _, message = error.partition(": ")
            raise type(kind if kind.isidentifier() else "ToolError", (Refused,), {})(message or error)
        return to_jsonable_python(result) if self.structured else tool_result_to_str(result)

    act = call

    def copy(self) -> Suite:
        """Return an independent copy."""
        made = Suite(self.domain, copy.deepcopy(self.environment), structured=self.structured)
        made.before = self.before
        return made

    def state(self) -> Any:
        """Return what differs from the start of the task; moments of now are left out."""
        found = changes(self.before, self.environment.model_dump(mode="json"))
        return {path: value for path, value in found.items() if not path.endswith(("/timestamp", "/last_modified"))}


@cache
def runtime(domain: str) -> Any:
    """Return what calls a suite's functions."""
    return FunctionsRuntime(get_suites(VERSION)[domain].tools)


def functions(domain: str) -> Any:
    """Return the specifications of a suite's functions; the effect is read off the verb."""
    return [function(item) for item in runtime(domain).functions.values()]


def function(item: Any) -> Any:
    """Return one specification."""
    schema = item.parameters.model_json_schema()
    return {
        "name": item.name,
        "doc": item.description,
        "parameters": json.loads(json.dumps(schema)),
        "returns": {},
        "effect": "write" if item.name.split("_")[0] in WRITES.split() else "read",
    }


def start(domain: str, task: Any) -> Any:
    """Return the world of a task, with an attacker's texts where a run had such."""
    suite = get_suites(VERSION)[domain]
    environment = suite.load_and_inject_default_environment(task.get("injections") or {})
    known = suite.user_tasks.get(str(task.get("task_id", "")).rpartition("/")[2])
    structured = bool(task.get("structured"))
    return Suite(domain, known.init_environment(environment) if known else environment, structured=structured)


def returns(domain: str) -> Any:
    """Return what the functions of a suite say that they return."""
    hints = {name: item.return_type for name, item in runtime(domain).functions.items()}
    return {name: TypeAdapter(hint).json_schema(mode="serialization") for name, hint in hints.items()}


def entities(domain: str) -> Any:
    """Return keys and unique values of every table of a suite."""
    return entities_in(get_suites(VERSION)[domain].load_and_inject_default_environment({}).model_dump(mode="json"))


if __name__ == "__main__":
    import sys

    serve(sys.modules[__name__])
