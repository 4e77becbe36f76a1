"""Reading recorded steps against the calls of a template, one call or loop at a time."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from nucleate_codifier.trace.align.pages import Pages
from nucleate_codifier.trace.align.solving import openings, settle
from nucleate_codifier.trace.evaluation import RunScope, evaluate, free_in, same, unify
from nucleate_codifier.trace.expressions import Expr, Item, Mapped, Missing, Param, Var, depends_on_item
from nucleate_sandbox import Json, JsonObject
from nucleate_text_memory import Step

Arguments: TypeAlias = tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, kw_only=True)
class Read:
    """The result of a call, or the list of results of a loop (boxed, because None is a result too)."""

    value: Json


@dataclass(kw_only=True)
class StepReader:
    """Walks over recorded steps; failed steps are stepped over, because a tool has no need to repeat them."""

    steps: Sequence[Step]
    position: int
    scope: RunScope
    taken: list[int] = field(default_factory=list)

    def read(self, function: str, arguments: Arguments, over: Pages | Var | Param | None) -> Read | None:
        """Return what the call or loop gave in this run, or None where the run did something else."""
        if over is None:
            return self._call(function, arguments)
        if isinstance(over, Pages):
            return self._turn(function, arguments, over)
        if isinstance(over, Var):
            return self._each(function, arguments, over)
        return self._collect(function, arguments, over)

    def _call(self, function: str, arguments: Arguments, besides: Container[str] = ()) -> Read | None:
        index = self._next()
        if index is None or self.steps[index].function != function:
            return None
        given = {name: value for name, value in self.steps[index].arguments.items() if name not in besides}
        if not self._agrees(given, arguments):
            return None
        self.taken.append(index)
        self.position = index + 1
        return Read(value=self.steps[index].result)

    def _each(self, function: str, arguments: Arguments, over: Var) -> Read | None:
        if free_in(over, self.scope) and self.scope.open:
            settle(self.scope)
        if not free_in(over, self.scope):
            return self.loop(function, arguments, over)
        tried = [self._attempt(bound) for bound in openings(over, self.scope)]
        read = [(reader, result) for reader in tried if (result := reader.loop(function, arguments, over))]
        if not read:
            return None
        longest, result = max(read, key=lambda pair: len(pair[0].taken))
        self.position, self.scope, self.taken = longest.position, longest.scope, longest.taken
        return result

    def _attempt(self, bound: JsonObject) -> StepReader:
        scope = RunScope(parameters=dict(bound), results=self.scope.results, open=list(self.scope.open))
        return StepReader(steps=self.steps, position=self.position, scope=scope, taken=list(self.taken))

    def loop(self, function: str, arguments: Arguments, over: Var) -> Read | None:
        """Return what the calls gave, one for each element of the list; None where the run did something else."""
        try:
            source = evaluate(over, self.scope)
        except Missing:
            return None
        results: list[Json] = []
        for item in source if isinstance(source, list) else []:
            self.scope.item = item
            read = self._call(function, arguments)
            if read is None:
                return None
            results.append(read.value)
        return Read(value=results)

    def _turn(self, function: str, arguments: Arguments, pages: Pages) -> Read | None:
        results: list[Json] = []
        number: Json = pages.first
        while not results or pages.goes_on(results[-1], number):
            number = pages.next(results[-1], number) if results else number
            index = self._next()
            if index is None or not same(self.steps[index].arguments.get(pages.argument), number):
                return None
            read = self._call(function, arguments, besides={pages.argument})
            if read is None:
                return None
            results.append(read.value)
        try:
            return Read(value=pages.gathered(results))
        except Missing:
            return None

    def _collect(self, function: str, arguments: Arguments, over: Param) -> Read | None:
        """Take the calls that differ in nothing but what depends on the element; their values tell the list."""
        looped = {name: expr for name, expr in arguments if depends_on_item(expr)}
        fixed = tuple((name, expr) for name, expr in arguments if name not in looped)
        collected: list[JsonObject] = []
        results: list[Json] = []
        while (index := self._next()) is not None and set(looped) <= set(self.steps[index].arguments):
            before = dict(self.scope.parameters)
            read = self._call(function, fixed, besides=looped)
            if read is None:
                self.scope.parameters = before
                break
            collected.append(self.steps[index].arguments)
            results.append(read.value)
        return Read(value=results) if collected and self._told(over, looped, collected) else None

    def _told(self, over: Param, looped: dict[str, Expr], calls: Sequence[JsonObject]) -> bool:
        """Return whether the calls agree on the list: of records with a field for each argument, or of values."""
        fields = {name: expr.path[0] for name, expr in looped.items() if isinstance(expr, Item) and expr.path}
        if len(fields) == len(looped):
            records: Json = [{str(field): call[name] for name, field in fields.items()} for call in calls]
            return unify(over, records, self.scope)
        return all(self._tell(over, expr, [call[name] for call in calls]) for name, expr in looped.items())

    def _tell(self, over: Param, expr: Expr, values: list[Json]) -> bool:
        return unify(over if expr == Item() else Mapped(over=over, element=expr), values, self.scope)

    def _next(self) -> int | None:
        remaining = range(self.position, len(self.steps))
        return next((index for index in remaining if self.steps[index].error is None), None)

    def _agrees(self, given: JsonObject, arguments: Arguments) -> bool:
        if not set(given) <= {name for name, _ in arguments}:
            return False
        for name, expr in arguments:
            optional = isinstance(expr, Param) and expr.optional
            if name not in given and not optional:
                return False
            if optional and name in given and given[name] is None:
                return False
            if not unify(expr, given.get(name), self.scope):
                return False
        return True
