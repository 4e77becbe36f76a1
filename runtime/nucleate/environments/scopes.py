"""The environments that the runtime knows: their functions (persisted) and, in this process, live copies."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime

from sqlalchemy import Engine
from sqlmodel import Session, select

from nucleate.environments import ObjectEnvironment
from nucleate.environments.connections import is_environment
from nucleate.environments.function_changes import Drift, difference
from nucleate.errors import InputInvalid
from nucleate.tables import ENVIRONMENTS, EnvironmentRow
from nucleate_codifier import EnvironmentView
from nucleate_sandbox import Effect, Environment, FunctionSpec, JsonObject, RecordedEnvironment
from nucleate_text_memory.one_writer import be_the_writer


class Scopes:
    """Remembers environments by name. What is learned in one environment is used in that one alone."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._live: dict[str, Environment] = {}
        self._seen: dict[str, Mapping[str, FunctionSpec]] = {}

    def attach(self, environment: Environment) -> Drift:
        """Remember an environment's functions, and the environment itself for this process; return what changed.

        The environment has the last word: a function that it no longer has is forgotten. A recording knows only what
        it was told, so it adds to what is known.
        """
        name, functions = environment.name, environment.functions
        self.hold(environment)
        if self._seen.get(name) == functions:  # it says what it said before: no look into the database
            return Drift(environment=name)
        recorded = isinstance(environment, RecordedEnvironment)
        drift = self._store(name, functions, keep=recorded)
        if not recorded:
            self._seen[name] = functions
        return drift

    def hold(self, environment: Environment) -> None:
        """Have the environment itself for this process, whatever is known of it."""
        self._live[environment.name] = environment

    def forget(self) -> dict[str, Environment]:
        """Look into the database again for every environment of this process, and return them by name."""
        self._seen.clear()
        return dict(self._live)

    def remember(self, name: str, functions: Mapping[str, FunctionSpec]) -> Drift:
        """Store the functions of an environment; what is known of functions that are not named here stays."""
        return self._store(name, functions, keep=True)

    def _store(self, name: str, functions: Mapping[str, FunctionSpec], *, keep: bool) -> Drift:
        with Session(self._engine) as session:
            be_the_writer(session.connection(), ENVIRONMENTS)
            row = session.get(EnvironmentRow, name)
            known = _load(row.functions) if row else {}
            now = {**known, **functions} if keep else functions
            text = _dump(now)
            if row is not None and row.functions == text:
                return Drift(environment=name)
            drift = Drift(environment=name) if row is None else difference(name, known, now)
            row = row or EnvironmentRow(name=name, functions="", updated_at=datetime.now(UTC))
            row.functions, row.updated_at = text, datetime.now(UTC)
            session.add(row)
            session.commit()
            return drift

    def names(self) -> tuple[str, ...]:
        """Return the names of all environments whose functions are known."""
        with Session(self._engine) as session:
            return tuple(sorted(session.exec(select(EnvironmentRow.name))))

    def knows(self, name: str) -> bool:
        """Return whether the functions of an environment are known."""
        return name in self._seen or name in self.names()

    def live(self, name: str) -> Environment | None:
        """Return the environment itself, if this process has it."""
        return self._live.get(name)

    def functions(self, name: str) -> Mapping[str, FunctionSpec]:
        """Return the functions of an environment; none where nothing is known of it."""
        return self.view(name).functions if self.knows(name) else {}

    def view(self, name: str) -> EnvironmentView:
        """Return what is known of an environment; InputInvalid if nothing is."""
        with Session(self._engine) as session:
            row = session.get(EnvironmentRow, name)
        if row is None:
            known = ", ".join(self.names()) or "none"
            raise InputInvalid(
                f"the functions of {name!r} are not known (known: {known}); ingest with --functions FILE"
            )
        return EnvironmentView(name=name, functions=_load(row.functions), live=self._live.get(name))


def _dump(functions: Mapping[str, FunctionSpec]) -> str:
    values = {name: _spec_json(functions[name]) for name in sorted(functions)}
    return json.dumps(values, ensure_ascii=False)  # the order of parameters is the author's


def _spec_json(spec: FunctionSpec) -> JsonObject:
    return {"doc": spec.doc, "parameters": spec.parameters, "returns": spec.returns, "effect": spec.effect.value}


def _load(text: str) -> dict[str, FunctionSpec]:
    return {
        name: FunctionSpec(
            name=name,
            doc=item["doc"],
            parameters=item["parameters"],
            returns=item["returns"],
            effect=Effect(item["effect"]),
        )
        for name, item in json.loads(text).items()
    }


def as_environment(target: object) -> Environment:
    """Return an Environment: the object itself if it is one, else its public methods as functions.

    A mapping of namespaces to objects, or one object, whose class name in lower case becomes the scope.
    """
    if is_environment(target):
        return target
    if isinstance(target, Mapping) and not target:
        raise InputInvalid("an environment of nothing; give objects by namespace")
    if not isinstance(target, Mapping) and type(target).__module__ == "builtins":
        raise InputInvalid(
            f"{target!r:.80} is no environment; give an object whose methods an agent may call, or "
            "FunctionEnvironment(name, functions)"
        )
    if isinstance(target, Mapping):
        return ObjectEnvironment("_".join(sorted(target)), target)
    return ObjectEnvironment(type(target).__name__.lower(), target)
