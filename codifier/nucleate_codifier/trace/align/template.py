"""The template of a tool: its calls as data, by which recorded steps that it can replace are recognised."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nucleate_codifier.trace.align.matching import Read, StepReader
from nucleate_codifier.trace.align.pages import Pages
from nucleate_codifier.trace.align.solving import settle
from nucleate_codifier.trace.evaluation import RunScope, meets
from nucleate_codifier.trace.expression_json import expression_from_json, expression_to_json
from nucleate_codifier.trace.expressions import Expr, Guard, Param, Var, parts
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import Step


@dataclass(frozen=True, kw_only=True)
class Pattern:
    """One call of the tool, one loop of calls (`over` is the list that it runs over), or one call for each page.

    With a guard the call is made only where that holds; its result is None elsewhere.
    """

    function: str
    arguments: tuple[tuple[str, Expr], ...]
    over: Var | Param | None = None
    pages: Pages | None = None
    guard: Guard | None = None

    @property
    def repeated(self) -> bool:
        """Return whether the result is a list gathered from several calls."""
        return self.over is not None or self.pages is not None


@dataclass(frozen=True, kw_only=True)
class Match:
    """Recorded steps [start, stop) that a tool can replace: its arguments and its result, read off from them.

    `steps` are the indices of the calls themselves; steps between them failed and are not repeated.
    """

    arguments: JsonObject
    start: int
    stop: int
    steps: tuple[int, ...]
    result: Json


@dataclass(frozen=True, kw_only=True)
class Template:
    """A tool's calls in order; `returns` names the results that it gives back (one: itself, several: an object)."""

    patterns: tuple[Pattern, ...]
    returns: tuple[tuple[str, int], ...] = ()

    def match(self, steps: Sequence[Step], start: int = 0) -> Match | None:
        """Read the tool's arguments off the steps from `start` on, or return None where they do other things."""
        reader = self._reader(steps, start)
        if reader is None or not settle(reader.scope):
            return None
        bound = reader.scope.parameters
        if not reader.taken or not self.parameters <= set(bound):
            return None
        return Match(
            arguments={name: value for name, value in bound.items() if value is not None or name in self.required},
            start=start,
            stop=reader.taken[-1] + 1,
            steps=tuple(reader.taken),
            result=self.result(reader.scope.results),
        )

    def read(self, steps: Sequence[Step], start: int) -> RunScope | None:
        """Return what is known after the calls, or None where the steps do other things."""
        reader = self._reader(steps, start)
        return None if reader is None else reader.scope

    def _reader(self, steps: Sequence[Step], start: int) -> StepReader | None:
        reader = StepReader(steps=steps, position=start, scope=RunScope())
        for pattern in self.patterns:
            made = pattern.guard is None or meets(pattern.guard, reader.scope)
            way = pattern.pages or pattern.over
            result = reader.read(pattern.function, pattern.arguments, way) if made else Read(value=None)
            if result is None:
                return None
            reader.scope.results.append(result.value)
        return reader

    def result(self, results: Sequence[Json]) -> Json:
        """Return what the tool returns when its calls gave these results."""
        if not self.returns:
            return None
        if len(self.returns) == 1:
            return results[self.returns[0][1]]
        return {name: results[step] for name, step in self.returns}

    @property
    def expressions(self) -> tuple[Expr, ...]:
        """Return every expression in the order of the calls."""
        return tuple(part for pattern in self.patterns for expr in _all(pattern) for part in parts(expr))

    @property
    def parameters(self) -> set[str]:
        """Return the names of all parameters."""
        return {expr.name for expr in self.expressions if isinstance(expr, Param)}

    @property
    def required(self) -> set[str]:
        """Return the names of the parameters that have no default."""
        return {expr.name for expr in self.expressions if isinstance(expr, Param) and not expr.optional}

    def to_json(self) -> JsonObject:
        """Return the template as data, for the candidate and the tool version."""
        return {
            "patterns": [_pattern_to_json(pattern) for pattern in self.patterns],
            "returns": [[name, step] for name, step in self.returns],
        }

    @classmethod
    def from_json(cls, value: JsonObject) -> Template:
        """Read what to_json wrote; KeyError, TypeError or ValueError where it is something else."""
        fields: dict[str, Any] = dict(value)
        return cls(
            patterns=tuple(_pattern_from_json(pattern) for pattern in fields["patterns"]),
            returns=tuple((name, step) for name, step in fields["returns"]),
        )


def _all(pattern: Pattern) -> tuple[Expr, ...]:
    source: tuple[Expr, ...] = () if pattern.over is None else (pattern.over,)
    source = source if pattern.guard is None else (*source, pattern.guard.of)
    return (*source, *(expr for _, expr in pattern.arguments))


def _pattern_to_json(pattern: Pattern) -> JsonObject:
    fields: JsonObject = {
        "function": pattern.function,
        "arguments": {name: expression_to_json(expr) for name, expr in pattern.arguments},
    }
    if pattern.over is not None:
        fields["over"] = expression_to_json(pattern.over)
    if pattern.pages is not None:
        fields["pages"] = pattern.pages.to_json()
    if pattern.guard is not None:
        guard = pattern.guard
        fields["guard"] = {"of": expression_to_json(guard.of), "equals": guard.equals, "holds": guard.holds}
    return fields


def _pattern_from_json(value: dict[str, Any]) -> Pattern:
    over = expression_from_json(value["over"]) if "over" in value else None
    if over is not None and not isinstance(over, Var | Param):
        raise ValueError(f"{value['over']!r} is nothing to loop over; codify the plan again")
    arguments = tuple((name, expression_from_json(expr)) for name, expr in value["arguments"].items())
    pages = Pages.from_json(value["pages"]) if "pages" in value else None
    guard = _guard_from_json(value["guard"]) if "guard" in value else None
    return Pattern(function=value["function"], arguments=arguments, over=over, pages=pages, guard=guard)


def _guard_from_json(value: dict[str, Any]) -> Guard:
    of = expression_from_json(value["of"])
    if not isinstance(of, Var):
        raise ValueError(f"{value['of']!r} is no earlier result; codify the plan again")
    return Guard(of=of, equals=value["equals"], holds=value["holds"])
