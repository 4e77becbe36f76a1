"""Calls of existing tools where a new tool would repeat their body."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from nucleate_codifier.trace.align.template import Pattern, Template
from nucleate_codifier.trace.expressions import (
    At,
    Expr,
    Items,
    Mapped,
    Param,
    Path,
    Record,
    Var,
    Where,
    depends_on_item,
    parts,
)

Binding = dict[str, Expr]


@dataclass(frozen=True, kw_only=True)
class Use:
    """Patterns [start, stop) of a template that a tool already is: its name, its arguments, what it returns.

    `returns` names the template's steps whose results the tool gives back: one as it is, several as an object.
    """

    tool: str
    start: int
    stop: int
    arguments: tuple[tuple[str, Expr], ...]
    returns: tuple[tuple[str, int], ...]

    def gives(self, step: int) -> bool:
        """Return whether the tool gives this step's result back."""
        return any(step == own for _, own in self.returns)


def uses(template: Template, library: Mapping[str, Template]) -> tuple[Use, ...]:
    """Return the tools to call, from left to right; where several fit, the one with the most calls."""
    found: list[Use] = []
    position = 0
    while position < len(template.patterns):
        fitting = list(_fitting(template, position, library))
        best = min(fitting, key=lambda use: (-use.stop, use.tool), default=None)
        found += [best] if best else []
        position = best.stop if best else position + 1
    return tuple(found)


def twin(template: Template, library: Mapping[str, Template]) -> str | None:
    """Return the tool that makes the same calls from parameters of its own, and gives back the same; None if none."""
    for name, other in sorted(library.items()):
        bound = _unified(other, template, 0) if len(other.patterns) == len(template.patterns) else None
        one_to_one = bound is not None and all(isinstance(expr, Param) for expr in bound.values())
        if one_to_one and [s for _, s in other.returns] == [s for _, s in template.returns]:
            return name
    return None


def _fitting(template: Template, start: int, library: Mapping[str, Template]) -> Iterator[Use]:
    for name, tool in library.items():
        stop = start + len(tool.patterns)
        if stop > len(template.patterns) or len(tool.patterns) in {0, len(template.patterns)}:
            continue
        bound = _unified(tool, template, start)
        returns = tuple((key, step + start) for key, step in tool.returns)
        if bound is not None and _needed(template, start, stop) <= {step for _, step in returns}:
            yield Use(tool=name, start=start, stop=stop, arguments=tuple(bound.items()), returns=returns)


def _needed(template: Template, start: int, stop: int) -> set[int]:
    """Return the steps inside whose results something outside refers to."""
    outside = Template(patterns=template.patterns[stop:], returns=template.returns)
    used = {expr.step for expr in outside.expressions if isinstance(expr, Var)}
    return {step for step in used | {step for _, step in template.returns} if start <= step < stop}


def _unified(tool: Template, template: Template, start: int) -> Binding | None:
    """Return what the tool's parameters are in the template, or None where the calls differ."""
    bound: Binding = {}
    ours = template.patterns[start : start + len(tool.patterns)]
    if all(_same_call(theirs, pattern, start, bound) for theirs, pattern in zip(tool.patterns, ours, strict=True)):
        return bound if set(bound) == tool.parameters else None
    return None


def _same_call(theirs: Pattern, ours: Pattern, start: int, bound: Binding) -> bool:
    if theirs.guard or ours.guard:
        return False
    if (theirs.function, theirs.pages) != (ours.function, ours.pages) or (theirs.over is None) != (ours.over is None):
        return False
    if theirs.over is not None and ours.over is not None and not _same(theirs.over, ours.over, start, bound):
        return False
    given = dict(ours.arguments)
    return set(given) == {name for name, _ in theirs.arguments} and all(
        _same(expr, given[name], start, bound) for name, expr in theirs.arguments
    )


def _same(theirs: Expr, ours: Expr, start: int, bound: Binding) -> bool:
    match theirs, ours:
        case Param(), _:
            if theirs.optional != (isinstance(ours, Param) and ours.optional):
                return False
            return _known_before(ours, start) and bound.setdefault(theirs.name, ours) == ours
        case Var(), Var():
            return theirs.step + start == ours.step and _same_path(theirs.path, ours.path, start, bound)
        case Record(), Record():
            fields = dict(ours.fields)
            return set(fields) == {key for key, _ in theirs.fields} and all(
                _same(expr, fields[key], start, bound) for key, expr in theirs.fields
            )
        case Items(), Items():
            return _all_same(theirs.items, ours.items, start, bound)
        case Mapped(), Mapped():
            return _all_same((theirs.over, theirs.element), (ours.over, ours.element), start, bound)
        case _:
            return theirs == ours


def _all_same(theirs: Sequence[Expr], ours: Sequence[Expr], start: int, bound: Binding) -> bool:
    return len(theirs) == len(ours) and all(_same(t, o, start, bound) for t, o in zip(theirs, ours, strict=True))


def _same_path(theirs: Path, ours: Path, start: int, bound: Binding) -> bool:
    if len(theirs) != len(ours):
        return False
    for one, other in zip(theirs, ours, strict=True):
        if isinstance(one, Where) and isinstance(other, Where):
            alike = (one.field, one.among) == (other.field, other.among)
            if not alike or not _same(one.equals, other.equals, start, bound):
                return False
        elif isinstance(one, At) and isinstance(other, At):
            if not _same(one.key, other.key, start, bound):
                return False
        elif one != other:
            return False
    return True


def _known_before(expr: Expr, start: int) -> bool:
    earlier = all(part.step < start for part in parts(expr) if isinstance(part, Var))
    return earlier and not depends_on_item(expr)
