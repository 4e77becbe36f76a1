"""Where the model tries code: the sandbox, on a copy of the environment that is thrown away after each try."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from nucleate_codifier.admission.reading.references import reachable
from nucleate_codifier.admission.running.modules import in_order
from nucleate_codifier.model.prompting import render
from nucleate_codifier.values import EnvironmentView, LibraryView
from nucleate_sandbox import NONE, Effect, FunctionError, Functions, FunctionSpec, Limits, Outcome, Sandbox, canonical

LIMITS = Limits(wall_seconds=5.0, cpu_seconds=5.0, bridge_calls=100)
MOST_SHOWN = 3_000


@dataclass(frozen=True, kw_only=True)
class Workshop:
    """Runs code with the functions of these effects on a fork of the live environment; without a fork, with none."""

    environment: EnvironmentView
    library: LibraryView
    sandbox: Sandbox
    effects: frozenset[Effect] = frozenset({Effect.READ})

    @property
    def reach(self) -> str:
        """Say in words which functions the code may call."""
        if self._functions().environment is None:
            return "no function (no copy of the environment can be made here)"
        return f"functions with the effect {' or '.join(sorted(self.effects))}, on a copy"

    def try_code(self, code: str) -> str:
        """Run a code block and return what the model is told of it; raise SandboxError on an outage."""
        with self.sandbox.open(functions=self._functions(), limits=LIMITS) as session:
            return _told(session.run(prelude(code, self.library) + code))

    def _functions(self) -> Functions:
        if self.environment.live is None:
            return NONE
        try:
            fork = self.environment.live.fork()
        except FunctionError:  # it cannot be copied, and the original is not the model's to try things on
            return NONE
        return Functions.only(fork, _allowed(self.environment.functions, self.effects))


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
