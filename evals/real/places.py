"""Where each scope's runs are acted again: in the benchmark itself where that can be had, else in their recordings."""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from evals.heldout import Stateful
from evals.real.environments import AGENTDOJO, BFCL, TAU2, Child, ChildEnvironment
from evals.real.ground_truth import SCOPE as GROUND_TRUTH
from evals.real.ground_truth import described
from evals.real.runs import Run, step
from nucleate.recording.inferring import Inferred
from nucleate_codifier.trace import call_of
from nucleate_sandbox import Effect, FunctionError, FunctionSpec, Json, JsonObject, RecordedEnvironment

PACKAGES = {
    **dict.fromkeys(("retail", "airline", "telecom"), TAU2),
    **dict.fromkeys(("workspace", "travel", "slack", "banking"), AGENTDOJO),
    GROUND_TRUTH: BFCL,
}
FHIR_READS = ("GET",)


class Place(Protocol):
    """Starts the environment of a run's task, and knows which values are somebody's or something's own."""

    @property
    def functions(self) -> Mapping[str, FunctionSpec]: ...
    @property
    def entities(self) -> frozenset[str]: ...
    def start(self, run: Run) -> Stateful: ...


@dataclass(frozen=True, kw_only=True)
class Executable:
    """A benchmark's own environment."""

    child: Child
    scope: str
    functions: Mapping[str, FunctionSpec]
    entities: frozenset[str]

    def start(self, run: Run) -> ChildEnvironment:
        """Return the environment in which the run's task begins."""
        return self.child.start(self.scope, run.task)


class Recordings:
    """Answers of all runs of a task's group; what changes something is kept as the state."""

    def __init__(self, scope: str, runs: Iterable[Run]) -> None:
        self._groups: defaultdict[str, list[Run]] = defaultdict(list)
        inferred = Inferred({})
        for run in runs:
            self._groups[run.group].append(run)
            inferred.see(step(action, scope) for action in run.actions if action.mine)
        self._scope = scope
        self.functions = {name: _with_effect(spec) for name, spec in inferred.functions.items()}
        self.entities = frozenset(_near_unique(run for group in self._groups.values() for run in group))

    def start(self, run: Run) -> Changes:
        """Return what answers as the runs of this task were answered; this very run's answers come first."""
        others = [other for other in self._groups[run.group] if other.id != run.id]
        calls = [call_of(step(action, self._scope)) for one in (run, *others) for action in one.actions]
        return Changes(self._scope, self.functions, calls)


class Changes(RecordedEnvironment):
    """A recording whose state is the set of changes asked for; a change that nobody recorded is one, too."""

    def __init__(self, name: str, functions: Mapping[str, FunctionSpec], calls: Sequence[Any]) -> None:
        super().__init__(name, functions, calls)
        self._asked: Counter[str] = Counter()

    def call(self, name: str, arguments: JsonObject) -> Json:
        """Answer from the recording."""
        if name in self.functions and self.functions[name].effect != "read":
            self._asked[f"{name}({sorted(arguments.items(), key=str)})"] += 1
        try:
            return super().call(name, arguments)
        except FunctionError as error:
            if error.kind == "NoRecord" and self.functions[name].effect != "read":
                return None
            raise

    def fork(self) -> Changes:
        """Return a copy with the same changes behind it, and the recording from its start."""
        copy = Changes(self.name, self.functions, self.calls)
        copy._asked = Counter(self._asked)
        return copy

    def state(self) -> dict[str, int]:
        """Return the changes so far."""
        return dict(self._asked)


@contextlib.contextmanager
def places(runs: Mapping[str, Sequence[Run]]) -> Iterator[dict[str, Place]]:
    """Yield the place of every scope; drivers run until the block ends."""
    found: dict[str, Place] = {}
    with contextlib.ExitStack() as stack:
        children: dict[str, Child] = {}
        for scope, own in runs.items():
            package = PACKAGES.get(scope)
            if package is None:
                found[scope] = Recordings(scope, own)
                continue
            if package.name not in children:
                children[package.name] = stack.enter_context(Child(package))
            child = children[package.name]
            if scope == GROUND_TRUTH:
                child.describe(scope, described())
            functions = child.start(scope, {}).functions
            found[scope] = Executable(child=child, scope=scope, functions=functions, entities=child.entities(scope))
        yield found


def _with_effect(spec: FunctionSpec) -> FunctionSpec:
    reads = spec.name.rpartition(".")[2] in FHIR_READS
    return FunctionSpec(
        name=spec.name,
        doc=spec.doc,
        parameters=spec.parameters,
        returns=spec.returns,
        effect=Effect.READ if reads else spec.effect,
    )


def _near_unique(runs: Iterable[Run]) -> Iterator[str]:
    """Yield the values of fields of answers whose values hardly repeat from one answer to another."""
    answers = {repr(action.result): action.result for run in runs for action in run.actions if not action.failed}
    fields: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for answer in answers.values():
        for name, value in _fields(answer, ""):
            fields[name][value] += 1
    for values in fields.values():
        if len(values) > 3 and sum(values.values()) < 1.2 * len(values):
            yield from values


def _fields(value: Json, name: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _fields(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from _fields(item, name)
    elif isinstance(value, str | int) and not isinstance(value, bool) and value != "":
        yield name, str(value)
