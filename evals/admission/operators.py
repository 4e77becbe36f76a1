"""Wrong variants of good tools, made by published operators; none of them is one of the gate's own.

Mutation: AOR, ROR and LCR of the sufficient set (Offutt et al., TOSEM 5(2), 1996); statement deletion SDL (Deng,
Offutt and Li, ICST 2013); of MutPy (Derezińska and Hałas, 2014) CRP constants, SIR slices, OIL one iteration, ZIL no
iteration, BCR break for continue, COI negated conditions, EXS swallowed exceptions.

Defects as they are found in the field (Durães and Madeira, IEEE TSE 32(11), 2006; the classes are ODC's): MIFS an
if with its statements is missing, MIA an if around statements is missing, MFC a function call is missing, MLAC an
"and" clause is missing, MLOC an "or" clause is missing, WVAV a wrong value is assigned, WPFV a wrong variable is
passed, MVAE an assignment of an expression is missing (here: the variable keeps nothing).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import TypeAlias

Operator: TypeAlias = Callable[[ast.AST], Iterator[ast.AST | None]]
"""Yields what may stand in a node's place; None where it is left out."""

_ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
_RELATIONS = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip


def _aor(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC and not isinstance(node.right, ast.JoinedStr):
        yield ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right)


def _ror(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in _RELATIONS.get(type(node.ops[0]), ()):
            yield ast.Compare(node.left, [other()], node.comparators)


def _lcr(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def _coi(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.If):
        yield ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield ast.comprehension(node.target, node.iter, [ast.UnaryOp(ast.Not(), node.ifs[0]), *node.ifs[1:]], 0)


def _crp(node: ast.AST) -> Iterator[ast.AST]:
    if (number := _number(node)) is not None:
        yield ast.Constant(number + 1)


def _sir(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Slice):
        if node.lower is not None:
            yield ast.Slice(None, node.upper, node.step)
        if node.upper is not None:
            yield ast.Slice(node.lower, None, node.step)


def _sdl(node: ast.AST) -> Iterator[None]:
    if isinstance(node, ast.AugAssign | ast.Raise | ast.Expr) and not _is_text(node):
        yield None


def _oil(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.For):
        yield ast.For(node.target, node.iter, [*node.body, ast.Break()], node.orelse)
    elif isinstance(node, ast.comprehension):
        first = ast.Subscript(
            ast.Call(ast.Name("list", ast.Load()), [node.iter], []), ast.Slice(None, ast.Constant(1)), ast.Load()
        )
        yield ast.comprehension(node.target, first, node.ifs, 0)


def _zil(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.For):
        yield ast.For(node.target, node.iter, [ast.Break()], node.orelse)


def _bcr(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Continue):
        yield ast.Break()


def _exs(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.ExceptHandler) and any(isinstance(part, ast.Raise) for part in node.body):
        yield ast.ExceptHandler(node.type, node.name, [ast.Pass()])


def _mifs(node: ast.AST) -> Iterator[None]:
    if isinstance(node, ast.If) and not node.orelse:
        yield None


def _mia(node: ast.AST) -> Iterator[ast.AST]:
    if (
        isinstance(node, ast.If)
        and not node.orelse
        and not isinstance(node.body[-1], ast.Raise | ast.Return | ast.Continue)
    ):
        yield ast.If(ast.Constant(True), node.body, [])
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield ast.comprehension(node.target, node.iter, node.ifs[1:], 0)


def _mlc(node: ast.AST, kind: type[ast.boolop]) -> Iterator[ast.AST]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, kind):
        for at in range(len(node.values)):
            kept = [value for place, value in enumerate(node.values) if place != at]
            yield kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept)


def _mfc(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
        yield node.args[0]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not (node.args or node.keywords):
        yield from () if _is_environment(node.func) else (node.func.value,)


def _wvav(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Assign) and (number := _number(node.value)) is not None:
        yield ast.Assign(node.targets, ast.Constant(number - 1))
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) and node.slice.value == 0:
        yield ast.Subscript(node.value, ast.Constant(-1), node.ctx)


def _wpfv(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Call) and _is_environment(node.func) and len(node.keywords) > 1:
        first, second, *rest = node.keywords
        swapped = [ast.keyword(first.arg, second.value), ast.keyword(second.arg, first.value), *rest]
        yield ast.Call(node.func, [], swapped)


def _mvae(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.keyword) and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Add):
        yield ast.keyword(node.arg, node.value.left)


OPERATORS: dict[str, Operator] = {
    "AOR": _aor, "ROR": _ror, "LCR": _lcr, "COI": _coi, "CRP": _crp, "SIR": _sir, "SDL": _sdl, "OIL": _oil, "ZIL": _zil,
    "BCR": _bcr, "EXS": _exs, "MIFS": _mifs, "MIA": _mia, "MFC": _mfc, "WVAV": _wvav, "WPFV": _wpfv, "MVAE": _mvae,
    "MLAC": lambda node: _mlc(node, ast.And), "MLOC": lambda node: _mlc(node, ast.Or),
}  # fmt: skip


def variants(source: str) -> Iterator[tuple[str, int, str]]:
    """Yield (operator, line, source) for each place of a source that an operator changes, in the order of operators."""
    tree = ast.parse(source)
    for name, operator in OPERATORS.items():
        for number, node in enumerate(ast.walk(tree)):
            for replacement in operator(node):
                changed = ast.fix_missing_locations(_Swap(number, replacement).of(tree))
                yield name, getattr(node, "lineno", 0), ast.unparse(changed) + "\n"


class _Swap(ast.NodeTransformer):
    """Puts a replacement in the place of the node with a number, as ast.walk counts."""

    def __init__(self, number: int, replacement: ast.AST | None) -> None:
        self._number = number
        self._replacement = replacement
        self._node: ast.AST | None = None

    def of(self, tree: ast.Module) -> ast.Module:
        """Return a changed copy of the tree."""
        own = copy.deepcopy(tree)
        self._node = list(ast.walk(own))[self._number]
        changed = self.visit(own)
        assert isinstance(changed, ast.Module)
        for node in ast.walk(changed):
            if getattr(node, "body", None) == []:
                node.body = [ast.Pass()]  # type: ignore[attr-defined]
        return changed

    def visit(self, node: ast.AST) -> ast.AST | None:
        return copy.deepcopy(self._replacement) if node is self._node else self.generic_visit(node)


def _number(node: ast.AST) -> int | float | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return node.value
    return None


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_environment(node: ast.AST) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id == "env"
