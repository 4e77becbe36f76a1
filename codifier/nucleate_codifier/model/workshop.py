"""Where the model tries code: the sandbox, on a copy of the environment that is thrown away after each try."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nucleate_codifier.admission.reading.references import reachable
from nucleate_codifier.admission.running.modules import in_order
from nucleate_codifier.model.prompting import render
from nucleate_codifier.values import EnvironmentView, LibraryView
from nucleate_sandbox import (
    NONE,
    Call,
    Effect,
    Environment,
    FunctionError,
    Functions,
    FunctionSpec,
    Json,
    JsonObject,
    Limits,
    Outcome,
    Sandbox,
    canonical,
)

LIMITS = Limits(wall_seconds=5.0, cpu_seconds=5.0, bridge_calls=100)
MOST_SHOWN = 3_000


@dataclass(frozen=True, kw_only=True)
class Workshop:
    """Runs code with the functions of these effects, on the state before the runs that the queries stand for.

    What they looked up is answered from `recorded`, all else by a fork of the live environment, where there is one.
    """

    environment: EnvironmentView
    library: LibraryView
    sandbox: Sandbox
    effects: frozenset[Effect] = frozenset({Effect.READ})
    recorded: tuple[Call, ...] = ()

    @property
    def reach(self) -> str:
        """Say in words which functions the code may call."""
        effects = f"functions with the effect {' or '.join(sorted(self.effects))}"
        if self._fork() is not None:
            return f"{effects}, on a copy; what the queries above looked up is answered as it was before them"
        if self.recorded:
            return f"{effects}, with the arguments of the queries above: they answer as they were answered then"
        return "no function (no copy of the environment can be made here, and nothing was recorded)"

    def try_code(self, code: str) -> str:
        """Run a code block and return what the model is told of it; raise SandboxError on an outage."""
        with self.sandbox.open(functions=self._functions(), limits=LIMITS) as session:
            return _told(session.run(prelude(code, self.library) + code))

    def _functions(self) -> Functions:
        fork = self._fork()
        if fork is None and not self.recorded:
            return NONE
        world = BeforeTheRuns(self.environment.name, self.environment.functions, self.recorded, fork)
        return Functions.only(world, _allowed(self.environment.functions, self.effects))

    def _fork(self) -> Environment | None:
        try:
            return self.environment.live.fork() if self.environment.live is not None else None
        except FunctionError:  # it cannot be copied, and the original is not the model's to try things on
            return None


class BeforeTheRuns:
    """What the runs looked up, as it was before they changed it; a copy of the environment answers the rest."""

    def __init__(
        self, name: str, functions: Mapping[str, FunctionSpec], calls: Sequence[Call], fork: Environment | None
    ) -> None:
        self._name = name
        self._functions = functions
        self._first = {_key(call.function, call.arguments): call for call in reversed(calls) if call.error is None}
        self._fork = fork

    @property
    def name(self) -> str:
        """Return the environment's name."""
        return self._name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        """Return the environment's functions."""
        return self._functions

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Return what a run was answered first, or what the copy answers."""
        recorded = self._first.get(_key(name, arguments))
        if recorded is not None and self._functions[name].effect is Effect.READ:
            return recorded.result
        if self._fork is None:
            raise FunctionError("no run asked this; ask with the arguments of one of the queries", kind="NoRecord")
        return self._fork.call(name, arguments)

    def fork(self) -> Environment:
        """Return another copy."""
        fork = self._fork.fork() if self._fork is not None else None
        return BeforeTheRuns(self._name, self._functions, [*self._first.values()], fork)


def _key(name: str, arguments: JsonObject) -> str:
    return f"{name} {canonical(arguments)}"


def prelude(code: str, library: LibraryView) -> str:
    """Return the sources of the library's tools that the code names, each after those that it needs."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & set(library.tools)
    ids = reachable(tuple(library.tools[name].id for name in sorted(named)), library)
    return "".join(f"{version.source}\n" for version in in_order(ids, library))


def _allowed(functions: Mapping[str, FunctionSpec], effects: frozenset[Effect]) -> list[str]:
    return [name for name, spec in functions.items() if spec.effect in effects]


def _told(outcome: Outcome) -> str:
    calls = ", ".join(f"{call.function}({canonical(call.arguments)})" for call in outcome.calls)
    ending = outcome.error.ending if outcome.error is not None else f"returned {canonical(outcome.value)}"
    output = f"{outcome.stdout.text}{outcome.stderr.text}".strip()
    return render("ran", ending=_short(ending), calls=_short(calls or "none"), output=_short(output or "(none)"))


def _short(text: str) -> str:
    if len(text) <= MOST_SHOWN:
        return text
    return f"{text[: MOST_SHOWN * 2 // 3]} … ({len(text)} characters) … {text[-MOST_SHOWN // 3 :]}"
