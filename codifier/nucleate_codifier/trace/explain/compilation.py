"""From the seen runs of a plan to its template: every call in order, single or repeated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from nucleate_codifier.trace.align.loops import ListLoop, varying
from nucleate_codifier.trace.align.mentions import informative
from nucleate_codifier.trace.align.pages import paged
from nucleate_codifier.trace.align.runs import SupportingRun
from nucleate_codifier.trace.align.template import Pattern, Template
from nucleate_codifier.trace.explain.chosen import chosen_each
from nucleate_codifier.trace.explain.inference import Inference
from nucleate_codifier.trace.explain.parameters import ArgumentPlace, Parameter
from nucleate_codifier.trace.explain.repeating import loop
from nucleate_codifier.trace.expressions import Expr, Item, Param, Var
from nucleate_codifier.trace.refusals import refused, uneven_group
from nucleate_sandbox import FunctionSpec, Json
from nucleate_text_memory import Step

MOST_OPTIONAL = 2
FEWEST_REPEATING = 2


@dataclass(frozen=True, kw_only=True)
class Compiled:
    """A template without return names yet, its parameters in order, and whether each result was ever more than None.

    `records` tells whether a result was always an object of more than two fields; `starts` holds for each position of
    the signature its first pattern.
    """

    patterns: tuple[Pattern, ...]
    parameters: tuple[Parameter, ...]
    telling: tuple[bool, ...]
    records: tuple[bool, ...] = ()
    starts: tuple[int, ...] = ()


@dataclass(kw_only=True)
class Compilation:
    """Reads the positions of a plan's signature in order and writes one pattern or several for each.

    `alone` says that the plan has one position, which runs repeat.
    """

    functions: Mapping[str, FunctionSpec]
    inference: Inference
    alone: bool = False
    patterns: list[Pattern] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)

    @property
    def runs(self) -> Sequence[SupportingRun]:
        return self.inference.runs

    def add(self, position: int, function: str) -> None:
        """Compile one position of the signature; raise Refused where the runs do not agree."""
        if function not in self.functions:
            raise refused(
                "unknown-function", f"no function named {function!r} in the environment", "Ingest its schema."
            )
        self.starts.append(len(self.patterns))
        groups = [run.group(position) for run in self.runs]
        lengths = {len(group) for group in groups}
        if lengths == {1} or self._repeated_by_one(position, groups):
            self._call(function, [group[0] for group in groups])
        elif not (self._pages(function, groups) or self._loop(function, groups)):
            if len(lengths) > 1:
                raise uneven_group(function, [f"{r.task_id}: {len(g)}" for r, g in zip(self.runs, groups, strict=True)])
            for calls in zip(*groups, strict=True):
                self._call(function, list(calls))

    def _repeated_by_one(self, position: int, groups: Sequence[Sequence[Step]]) -> bool:
        """Return whether a plan of one call is repeated in one group of runs alone: nobody else needs its list."""
        several = {run.group_number for run, group in zip(self.runs, groups, strict=True) if len(group) > 1}
        return self.alone and position == 0 and len(several) < FEWEST_REPEATING

    def done(self) -> Compiled:
        """Return what was compiled."""
        steps = range(len(self.patterns))
        telling = tuple(any(_tells(run.scope.results[step]) for run in self.runs) for step in steps)
        return Compiled(
            patterns=tuple(self.patterns),
            parameters=tuple(self.inference.parameters),
            telling=telling,
            records=tuple(all(_is_record(run.scope.results[step]) for run in self.runs) for step in steps),
            starts=tuple(self.starts),
        )

    def _call(self, function: str, steps: Sequence[Step]) -> None:
        names = _argument_names(steps)
        self._check_few_optional(function, names, steps)
        plain_first = sorted(names, key=lambda name: any(_composed(step.arguments.get(name)) for step in steps))
        found = {name: self._argument(function, name, steps) for name in plain_first}
        arguments = tuple((name, found[name]) for name in names)
        self._append(Pattern(function=function, arguments=arguments), [step.result for step in steps])

    def _argument(self, function: str, name: str, steps: Sequence[Step]) -> Expr:
        place = ArgumentPlace.of(self.functions[function], name)
        present = [name in step.arguments for step in steps]
        column = [step.arguments.get(name) for step in steps]
        if all(present):
            expr = self.inference.infer(place, column)
        else:
            self._check_optional(place, present)
            expr = self.inference.optional_parameter(place, column, present)
        self.inference.learn(expr, column)
        return expr

    def _check_few_optional(self, function: str, names: Sequence[str], steps: Sequence[Step]) -> None:
        optional = [name for name in names if any(name not in step.arguments for step in steps)]
        if len(optional) > MOST_OPTIONAL:
            raise refused(
                "optional-arguments",
                f"{function} is called with different arguments: {', '.join(optional)} are left out in some runs",
                f"Record runs that give the same arguments, but for {MOST_OPTIONAL} at most.",
            )

    def _check_optional(self, place: ArgumentPlace, present: Sequence[bool]) -> None:
        required = place.spec.parameters.get("required", [])
        if isinstance(required, list) and place.argument in required:
            without = ", ".join(run.task_id for run, here in zip(self.runs, present, strict=True) if not here)
            raise refused(
                "argument-missing",
                f"{place.spec.name} requires {place.argument!r}, which is missing in {without}",
                f"Correct the schema of {place.spec.name}, or the recording.",
            )

    def _pages(self, function: str, groups: Sequence[Sequence[Step]]) -> bool:
        pages = paged(groups)
        if pages is not None:
            firsts = [group[0] for group in groups]
            names = [name for name in _argument_names(firsts) if name != pages.argument]
            arguments = tuple((name, self._argument(function, name, firsts)) for name in names)
            gathered: list[Json] = [pages.gathered([step.result for step in group]) for group in groups]
            self._append(Pattern(function=function, arguments=arguments, pages=pages), gathered)
        return pages is not None

    def _loop(self, function: str, groups: Sequence[Sequence[Step]]) -> bool:
        calls = [[step.arguments for step in group] for group in groups]
        names = list(calls[0][0])
        if any(set(call) != set(names) for group in calls for call in group):
            return False
        changing = varying(calls, names)
        place = ArgumentPlace.of(self.functions[function], changing[0] if changing else "")
        found = loop(self.inference, place, calls, changing)
        if found is not None:
            self._loop_over_result(function, names, found, groups)
            return True
        if len(changing) > 1:
            return self._loop_over_records(function, names, self._of_one_call(function, names, changing), groups)
        return bool(changing) and self._loop_over_parameter(function, names, changing[0], groups)

    def _loop_over_result(
        self, function: str, names: Sequence[str], found: ListLoop, groups: Sequence[Sequence[Step]]
    ) -> None:
        firsts = [group[0] for group in groups]
        arguments = tuple((name, found.items.get(name) or self._argument(function, name, firsts)) for name in names)
        self._append(Pattern(function=function, arguments=arguments, over=found.over), _results(groups))

    def _loop_over_parameter(
        self, function: str, names: Sequence[str], changing: str, groups: Sequence[Sequence[Step]]
    ) -> bool:
        columns: list[list[Json]] = [[step.arguments[changing] for step in group] for group in groups]
        place = ArgumentPlace.of(self.functions[function], changing)
        each = chosen_each(self.inference, place, columns)
        even = _even(groups) and self.starts != [0]
        if each is None and (even or not all(informative(value) for column in columns for value in column)):
            return False
        over, item = (each.over, each.element) if each else (self._list(place, columns), Item())
        firsts = [group[0] for group in groups]
        arguments = tuple(
            (name, item if name == changing else self._argument(function, name, firsts)) for name in names
        )
        self._append(Pattern(function=function, arguments=arguments, over=over), _results(groups))
        return True

    def _of_one_call(self, function: str, names: Sequence[str], changing: Sequence[str]) -> list[str]:
        """Return the arguments that belong to each call: those that differ, or name things."""
        entities = self.inference.entities
        values = {name: entities.accepted(function, name) for name in names}
        shared = {name for name in names if len(values[name]) < 2 or entities.repeats(function, name)}
        return [name for name in names if name in changing or name not in shared]

    def _loop_over_records(
        self, function: str, names: Sequence[str], changing: Sequence[str], groups: Sequence[Sequence[Step]]
    ) -> bool:
        """Go through a list of objects that hold, for each call, the arguments that differ."""
        if self.starts != [0]:
            return False  # what earlier answers gave is not asked for again
        columns: list[list[Json]] = [
            [{name: step.arguments[name] for name in changing} for step in group] for group in groups
        ]
        over = self.inference.records_parameter(self.functions[function], changing, columns)
        self.inference.learn(over, columns)
        firsts = [group[0] for group in groups]
        arguments = tuple(
            (name, Item(path=(name,)) if name in changing else self._argument(function, name, firsts)) for name in names
        )
        self._append(Pattern(function=function, arguments=arguments, over=over), _results(groups))
        return True

    def _list(self, place: ArgumentPlace, columns: Sequence[list[Json]]) -> Param:
        over = self.inference.list_parameter(place, columns)
        self.inference.learn(over, list(columns))
        return over

    def _append(self, pattern: Pattern, results: Sequence[Json]) -> None:
        self.patterns.append(pattern)
        for run, result in zip(self.runs, results, strict=True):
            run.scope.results.append(result)
            run.called.append(pattern.function)


def returned(compiled: Compiled, *, reads: bool = False) -> list[int]:
    """Return the steps whose result no later step uses and that ever had one; write acknowledgements count.

    A tool that only reads gives back every record that it saw: what it looked up on the way is not asked for again.
    """
    probe = Template(patterns=compiled.patterns)
    used = {expr.step for expr in probe.expressions if isinstance(expr, Var)}
    kept = {step for step in used if reads and compiled.records[step]}
    return [step for step in range(len(compiled.patterns)) if compiled.telling[step] and step not in used - kept]


def _is_record(result: Json) -> bool:
    return isinstance(result, dict) and len(result) > 2


def _even(groups: Sequence[Sequence[Step]]) -> bool:
    return len({len(group) for group in groups}) == 1


def _composed(value: Json) -> bool:
    """Return whether the value is put together: its parts may be chosen by what the plain arguments say."""
    return isinstance(value, list | dict)


def _results(groups: Sequence[Sequence[Step]]) -> list[Json]:
    return [[step.result for step in group] for group in groups]


def _argument_names(steps: Sequence[Step]) -> list[str]:
    return list(dict.fromkeys(name for step in steps for name in step.arguments))


def _tells(result: Json) -> bool:
    return any(item is not None for item in result) if isinstance(result, list) else result is not None
