"""Chosen elements that get a name of their own: those looked into further, and those used more than once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from nucleate_codifier.trace.expressions import Best, Expr, Var, Where, depends_on_item, parts


def hoists(statements: Sequence[Sequence[Expr]]) -> list[tuple[Var, ...]]:
    """Return for each statement the elements to choose before it; each is chosen once."""
    every = [prefix for exprs in statements for expr in exprs for prefix in _chosen(expr)]
    deeper = {prefix for exprs in statements for expr in exprs for prefix in _looked_into(expr)}
    often = {prefix for prefix, count in Counter(every).items() if count > 1}
    named: set[Var] = set()
    found: list[tuple[Var, ...]] = []
    for exprs in statements:
        prefixes = dict.fromkeys(prefix for expr in exprs for prefix in _chosen(expr))
        found.append(tuple(prefix for prefix in prefixes if prefix in deeper | often and prefix not in named))
        named.update(found[-1])
    return found


def _chosen(expr: Expr) -> Iterator[Var]:
    """Yield the selections in an expression that are the same for every element of a loop."""
    for part in parts(expr):
        for index, element in enumerate(part.path if isinstance(part, Var) else ()):
            if isinstance(part, Var) and isinstance(element, Where | Best) and index + 1 < len(part.path):
                prefix = Var(step=part.step, path=part.path[: index + 1])
                if not depends_on_item(prefix):
                    yield prefix


def _looked_into(expr: Expr) -> Iterator[Var]:
    for part in parts(expr):
        if isinstance(part, Var) and sum(isinstance(element, Where | Best) for element in part.path) > 1:
            yield from list(_chosen(part))[:-1] if not depends_on_item(part) else _chosen(part)
