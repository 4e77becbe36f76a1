"""What a run's code may call over the bridge: the environment, the offered tools, `finish` and `recall`."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from nucleate.errors import InputInvalid
from nucleate.tools import CallableTool
from nucleate_sandbox import (
    Call,
    Effect,
    Environment,
    Failure,
    FunctionError,
    FunctionSpec,
    Json,
    JsonObject,
    SandboxError,
)

OWN = "nucleate"
FINISH, RECALL, SEARCH = "finish", "recall", "search_functions"
OUTAGE, OVER = "Outage", "TaskFinished"  # kinds of errors of ours
_ANY: JsonObject = {}

Recall = Callable[[str], str]
Search = Callable[[str], str]
Watch = Callable[[str, JsonObject], None]


def unwatched(_name: str, _arguments: JsonObject) -> None:
    """Let nobody see what is called."""


@dataclass(frozen=True, kw_only=True)
class Finished:
    """The answer that `finish` was given."""

    answer: Json


class SessionScope:
    """An environment for one run's session. Tools run elsewhere, each in a process of its own with its own manifest.

    After `finish` nothing is called any more. An outage of the sandbox under a tool is kept apart: it is no word on it.
    """

    def __init__(
        self,
        environment: Environment,
        tools: Sequence[CallableTool],
        recall: Recall,
        *,
        search: Search | None = None,
        watch: Watch = unwatched,
    ) -> None:
        if any(name.partition(".")[0] == OWN for name in environment.functions):
            raise InputInvalid(f"environment {environment.name!r} has a namespace {OWN!r}; give it another name")
        self._environment = environment
        self._tools = {tool.version.name: tool for tool in tools}
        self._recall = recall
        self._search = search
        self._watch = watch
        self._lock = threading.Lock()
        self._functions = {**environment.functions, **_own(tools, searching=search is not None)}
        self.finished: Finished | None = None
        self.saved = 0
        self.begin()

    @property
    def name(self) -> str:
        """Return the environment's name."""
        return self._environment.name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        """Return the environment's functions, and our own under `nucleate`."""
        return self._functions

    @property
    def tools(self) -> tuple[CallableTool, ...]:
        """Return the offered tools."""
        return tuple(self._tools.values())

    def begin(self) -> None:
        """Begin another action: what was called and what failed counts from here."""
        self.outage: SandboxError | None = None
        self._made: list[Call] = []

    @property
    def made(self) -> tuple[Call, ...]:
        """Return the calls of this action that were answered: its record where the session itself was lost."""
        return tuple(self._made)

    def full_name(self, name: str) -> str:
        """Return the bridge's name for a name in scope: a bare one is ours, one without its dots whose else it is."""
        full = name if "." in name else f"{OWN}.{name}"
        if full in self._functions:
            return full
        alike = [known for known in self._functions if _folded(known) == _folded(name)]
        return alike[0] if len(alike) == 1 else full

    @property
    def searches(self) -> bool:
        """Return whether functions can be searched for."""
        return self._search is not None

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Call what the name says; raise FunctionError for what went wrong."""
        log = self._made  # a call that outlives its action belongs to that action all the same
        try:
            result = self._answer(name, arguments)
        except FunctionError as error:
            failure = Failure(kind=error.kind, message=error.message)
            log.append(Call(function=name, arguments=arguments, error=failure))
            raise
        log.append(Call(function=name, arguments=arguments, result=result))
        return result

    def _answer(self, name: str, arguments: JsonObject) -> Json:
        if self.finished is not None:
            raise FunctionError("the task is finished; nothing is called any more", kind=OVER)
        own = own_name(name)
        self._watch(own or name, arguments)
        if own is None:
            return self._environment.call(name, arguments)
        if own == FINISH:
            return self._finish(arguments.get("answer"))
        if own == RECALL:
            return self._recall(str(arguments["hint"]))
        if own == SEARCH and self._search is not None:
            return self._search(str(arguments["query"]))
        return self._tool(own, arguments)

    def fork(self) -> Environment:
        """Return a copy of the environment alone; a run is not copied."""
        return self._environment.fork()

    def _finish(self, answer: Json) -> Json:
        with self._lock:
            if self.finished is not None:
                raise FunctionError("the task is finished already", kind=OVER)
            self.finished = Finished(answer=answer)
        return None

    def _tool(self, name: str, arguments: JsonObject) -> Json:
        try:
            outcome = self._tools[name].outcome(**arguments)
        except SandboxError as error:
            self.outage = error
            raise FunctionError(
                f"the sandbox is out of order, so {name} was not called to its end", kind=OUTAGE
            ) from error
        if outcome.error is not None:
            raise FunctionError(outcome.error.message, kind=outcome.error.kind)
        with self._lock:
            self.saved += max(0, len(outcome.calls) - 1)
        return outcome.value


def own_name(name: str) -> str | None:
    """Return the bare name of one of ours; None for an environment function."""
    namespace, _, rest = name.partition(".")
    return rest if namespace == OWN else None


def _folded(name: str) -> str:
    """Return what is left of a name where providers allow no dots."""
    return re.sub(r"[\W_]+", "_", name)


def as_in_scope(message: str) -> str:
    """Return a message with our names as the code knows them."""
    return re.sub(rf"\b{OWN}\.", "", message)


def _own(tools: Sequence[CallableTool], *, searching: bool) -> dict[str, FunctionSpec]:
    found = {
        FINISH: FunctionSpec(name=f"{OWN}.{FINISH}", parameters=_object({"answer": _ANY}, required=())),
        RECALL: FunctionSpec(
            name=f"{OWN}.{RECALL}", parameters=_object({"hint": {"type": "string"}}), effect=Effect.READ
        ),
    }
    if searching:
        query = _object({"query": {"type": "string"}}, required=("query",))
        found[SEARCH] = FunctionSpec(name=f"{OWN}.{SEARCH}", parameters=query, effect=Effect.READ)
    for tool in tools:
        version = tool.version
        name = f"{OWN}.{version.name}"
        found[version.name] = FunctionSpec(
            name=name, doc=version.signature.doc, parameters=version.signature.parameters
        )
    return {spec.name: spec for spec in found.values()}


def _object(properties: JsonObject, *, required: Sequence[str] = ("hint",)) -> JsonObject:
    return {"type": "object", "properties": properties, "required": [*required], "additionalProperties": False}
