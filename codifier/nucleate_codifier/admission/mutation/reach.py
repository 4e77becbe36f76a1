"""Which lines the examples reach: a variant of the tool says so, once for each line, by a call that nobody answers."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nucleate_codifier.admission.running.bench import Bench
from nucleate_codifier.admission.running.grounds import Ground, run
from nucleate_sandbox import Outcome

# Names that no tool has: the policy forbids them.
PROBE = "nucleate_probe"
SEEN = f"_{PROBE}_seen"
HELPER = f"""
{SEEN} = set()
def {PROBE}(line):
    if line not in {SEEN}:
        {SEEN}.add(line)
        try:
            env.{PROBE}.line(at=line)
        except Exception:
            pass
"""


@dataclass(frozen=True, kw_only=True)
class Reach:
    """The first and last line of every statement in a function, and the statements that some example executed."""

    spans: tuple[tuple[int, int], ...]
    reached: frozenset[int]

    def reaches(self, line: int) -> bool:
        """Return whether an example executes the statement that stands on this line."""
        around = [(last - first, first) for first, last in self.spans if first <= line <= last]
        return not around or min(around)[1] in self.reached

    @property
    def unreached(self) -> tuple[int, ...]:
        """The lines on which statements begin that no example executes."""
        return tuple(sorted({first for first, _ in self.spans} - self.reached))


def reach(bench: Bench, source: str, examples: Sequence[Ground]) -> Reach:
    """Run the examples once more with every statement announced."""
    tree = ast.parse(source)
    spans = tuple((item.lineno, item.end_lineno or item.lineno) for item in _statements(tree))
    module = replace(bench.module, source=announced(source))
    outcomes = [run(bench, example, module=module) for example in examples]
    return Reach(spans=spans, reached=frozenset(line for outcome in outcomes for line in _lines(outcome)))


def announced(source: str) -> str:
    """Return the source with a call of the probe before every statement of every function."""
    tree = _Announcer().visit(ast.parse(source))
    future = [item for item in tree.body if isinstance(item, ast.ImportFrom) and item.module == "__future__"]
    tree.body = [*future, *ast.parse(HELPER).body, *(item for item in tree.body if item not in future)]
    return ast.unparse(ast.fix_missing_locations(tree))


class _Announcer(ast.NodeTransformer):
    def __init__(self) -> None:
        self._depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if self._depth and not isinstance(node, ast.ClassDef):
            for name, block in ast.iter_fields(node):
                if isinstance(block, list) and block and all(isinstance(item, ast.stmt) for item in block):
                    setattr(node, name, [part for item in block for part in (_probe(item.lineno), item)])
        return node


def _probe(line: int) -> ast.stmt:
    return ast.Expr(ast.Call(ast.Name(PROBE, ast.Load()), [ast.Constant(line)], []))


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from (item for item in ast.walk(function) if isinstance(item, ast.stmt) and item is not function)


def _lines(outcome: Outcome) -> Iterator[int]:
    for call in outcome.calls:
        line = call.arguments.get("at")
        if call.function == f"{PROBE}.line" and isinstance(line, int):
            yield line
