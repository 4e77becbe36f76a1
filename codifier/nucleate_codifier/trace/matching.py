"""Reading recorded steps against the calls of a template, one call or loop at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from nucleate_codifier.trace.evaluation import Missing, Scope, evaluate, unify
from nucleate_codifier.trace.expressions import Expr, Item, Param, Var
from nucleate_sandbox import Json
from nucleate_text_memory import Step

Arguments: TypeAlias = tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, kw_only=True)
class Read:
    """The result of a call, or the list of results of a loop (boxed, because None is a result too)."""

    value: Json


@dataclass(kw_only=True)
class Reader:
    """Walks over recorded steps; failed steps are stepped over, because a tool has no need to repeat them."""

    steps: Sequence[Step]
    position: int
    scope: Scope
    taken: list[int] = field(default_factory=list)

    def read(self, function: str, arguments: Arguments, over: Var | Param | None) -> Read | None:
        """Return what the call or loop gave in this run, or None where the run did something else."""
        if over is None:
            return self._call(function, arguments)
        if isinstance(over, Var):
            return self._each(function, arguments, over)
        return self._collect(function, arguments, over)

    def _call(self, function: str, arguments: Arguments) -> Read | None:
        index = self._next()
        if index is None or self.steps[index].function != function:
            return None
        if not self._agrees(self.steps[index], arguments):
            return None
        self.taken.append(index)
        self.position = index + 1
        return Read(value=self.steps[index].result)

    def _each(self, function: str, arguments: Arguments, over: Var) -> Read | None:
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

    def _collect(self, function: str, arguments: Arguments, over: Param) -> Read | None:
        name = next(name for name, expr in arguments if isinstance(expr, Item))
        collected: list[Json] = []
        results: list[Json] = []
        while (index := self._next()) is not None and name in self.steps[index].arguments:
            before = dict(self.scope.parameters)
            self.scope.item = self.steps[index].arguments[name]
            read = self._call(function, arguments)
            if read is None:
                self.scope.parameters = before
                break
            collected.append(self.scope.item)
            results.append(read.value)
        return Read(value=results) if collected and unify(over, collected, self.scope) else None

    def _next(self) -> int | None:
        remaining = range(self.position, len(self.steps))
        return next((index for index in remaining if self.steps[index].error is None), None)

    def _agrees(self, step: Step, arguments: Arguments) -> bool:
        if not set(step.arguments) <= {name for name, _ in arguments}:
            return False
        for name, expr in arguments:
            optional = isinstance(expr, Param) and expr.optional
            if name not in step.arguments and not optional:
                return False
            actual = step.arguments.get(name)
            if optional and name in step.arguments and actual is None:
                return False
            if not unify(expr, actual, self.scope):
                return False
        return True
