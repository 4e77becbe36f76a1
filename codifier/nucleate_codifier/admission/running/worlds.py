"""The worlds in which generated arguments are tried: the recording, and the live environment where it can be forked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import Example
from nucleate_sandbox import Environment, FunctionError, FunctionSpec, Json, JsonObject, NoRecord, RecordedEnvironment

World: TypeAlias = Callable[[], Environment]
"""Each call returns an environment of its own, all in the same state."""


@runtime_checkable
class Stateful(Protocol):
    """An environment that can tell its state as JSON, so that two of them can be compared."""

    def state(self) -> Json: ...


class AlteredAnswers:
    """An environment in which the answers of some functions are changed in one way."""

    def __init__(self, inner: Environment, altered: Collection[str], alter: Callable[[Json], Json]) -> None:
        self._inner = inner
        self._altered = altered
        self._alter = alter

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._inner.functions

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Return the inner answer, changed if it is that of one of the functions."""
        answer = self._inner.call(name, arguments)
        return self._alter(answer) if name in self._altered else answer

    def fork(self) -> Environment:
        """Alter the answers of a fork of the inner environment."""
        return AlteredAnswers(self._inner.fork(), self._altered, self._alter)


def recording(subject: Subject, examples: Sequence[Example]) -> RecordedEnvironment:
    """Return an environment that answers from these runs' calls alone."""
    calls = [call for example in examples for call in example.calls]
    return RecordedEnvironment(subject.environment.name, subject.environment.functions, calls)


def live(subject: Subject) -> World | None:
    """Return forks of the live environment as it is now; None where there is none, or it cannot be forked."""
    environment = subject.environment.live
    if environment is None:
        return None
    try:
        return environment.fork().fork
    except FunctionError:  # the original is not ours to change
        return None


def worlds(subject: Subject) -> tuple[World, ...]:
    """Return the recording of all examples, and the live environment where it can be forked."""
    forks = live(subject)
    recorded: World = lambda: recording(subject, subject.evidence.seen)  # noqa: E731 - a World, named
    return (recorded,) if forks is None else (recorded, forks)


def backed(subject: Subject) -> Environment:
    """Return the recording of all examples, with the live environment behind it for what was never recorded."""
    forks, recorded = live(subject), recording(subject, subject.evidence.seen)
    return recorded if forks is None else Backed(recorded, forks())


class Backed:
    """An environment that asks another one what it has no record of."""

    def __init__(self, recorded: RecordedEnvironment, behind: Environment) -> None:
        self._recorded = recorded
        self._behind = behind

    @property
    def name(self) -> str:
        return self._recorded.name

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return self._recorded.functions

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Return the recorded answer, or that of the environment behind."""
        try:
            return self._recorded.call(name, arguments)
        except NoRecord:
            return self._behind.call(name, arguments)

    def fork(self) -> Environment:
        """Fork both."""
        return Backed(self._recorded.fork(), self._behind.fork())
