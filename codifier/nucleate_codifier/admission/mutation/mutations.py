"""The single changes that make a mutant: what may stand where a node stands.

A change that often leaves the program as it was is not here: such a mutant lives in every suite and proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import libcst as cst

Change: TypeAlias = tuple[cst.CSTNode | cst.RemovalSentinel, str]

COMPARISONS: dict[type[cst.BaseCompOp], cst.BaseCompOp] = {
    cst.Equal: cst.NotEqual(),
    cst.NotEqual: cst.Equal(),
    cst.LessThan: cst.LessThanEqual(),
    cst.LessThanEqual: cst.LessThan(),
    cst.GreaterThan: cst.GreaterThanEqual(),
    cst.GreaterThanEqual: cst.GreaterThan(),
    cst.In: cst.NotIn(),
    cst.NotIn: cst.In(),
    cst.Is: cst.IsNot(),
    cst.IsNot: cst.Is(),
}
ARITHMETIC: dict[type[cst.CSTNode], cst.CSTNode] = {
    cst.Add: cst.Subtract(),
    cst.Subtract: cst.Add(),
    cst.Multiply: cst.Divide(),
    cst.Divide: cst.Multiply(),
    cst.FloorDivide: cst.Multiply(),
    cst.Modulo: cst.Multiply(),
    cst.Power: cst.Multiply(),
    cst.And: cst.Or(),
    cst.Or: cst.And(),
    cst.AddAssign: cst.SubtractAssign(),
    cst.SubtractAssign: cst.AddAssign(),
}
COMMUTATIVE = frozenset({"min", "max"})
CALLS: dict[str, str] = {"min": "max", "max": "min", "any": "all", "all": "any"}


def replacements(node: cst.CSTNode, parent: cst.CSTNode | None) -> Iterator[Change]:
    """Yield each change that fits this node."""
    match node:
        case cst.Integer() | cst.Float():
            yield cst.parse_expression(f"({node.value} + 1)"), f"{node.value} became {node.value} + 1"
        case cst.SimpleString() if not isinstance(parent, cst.FormattedString):
            yield cst.SimpleString('"~mutated~"'), f"{node.value} became another string"
        case cst.FormattedStringText():
            yield node.with_changes(value=f"~{node.value}"), "the text of an f-string changed"
        case cst.Name(value="True" | "False"):
            other = "False" if node.value == "True" else "True"
            yield cst.Name(other), f"{node.value} became {other}"
        case cst.ComparisonTarget() if type(node.operator) in COMPARISONS:
            operator = COMPARISONS[type(node.operator)]
            yield node.with_changes(operator=operator), f"`{_sign(node.operator)}` became `{_sign(operator)}`"
        case cst.UnaryOperation(operator=cst.Not()):
            yield node.expression.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]), "`not` went away"
        case _ if type(node) in ARITHMETIC:
            other_operator = ARITHMETIC[type(node)]
            yield other_operator, f"`{_sign(node)}` became `{_sign(other_operator)}`"
        case _:
            yield from _statements(node, parent)
            yield from _calls(node)
            yield from _loops(node)


def _statements(node: cst.CSTNode, parent: cst.CSTNode | None) -> Iterator[Change]:
    match node:
        case cst.SimpleStatementLine(body=[cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString())]):
            return
        case cst.SimpleStatementLine(body=[cst.Expr(value=value)]) if is_call_of(value, "print"):
            return  # what a tool prints, nobody reads
        case cst.SimpleStatementLine(body=[cst.Return(value=cst.BaseExpression())]):
            yield cst.parse_statement("return None"), "it returns None"
        case cst.SimpleStatementLine(body=[cst.Expr() | cst.AugAssign() | cst.Break() | cst.Continue() | cst.Raise()]):
            if _is_alone(parent):
                return  # without it, its block does what it does when its condition is False
            yield cst.parse_statement("pass"), f"a statement went away: {_code(node.body[0])}"
        case cst.If() if not isinstance(parent, cst.If):
            yield node.with_changes(test=cst.Name("True"), whitespace_before_test=_SPACE), "the condition became True"
            yield node.with_changes(test=cst.Name("False"), whitespace_before_test=_SPACE), "the condition became False"
        case cst.IfExp():
            for choice, which in ((node.body, "first"), (node.orelse, "second")):
                yield choice.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]), f"always the {which} choice"


def _is_alone(parent: cst.CSTNode | None) -> bool:
    return isinstance(parent, cst.IndentedBlock) and len(parent.body) == 1


def _calls(node: cst.CSTNode) -> Iterator[Change]:
    if not isinstance(node, cst.Call):
        return
    if isinstance(node.func, cst.Name) and node.func.value in CALLS:
        other = CALLS[node.func.value]
        yield node.with_changes(func=cst.Name(other)), f"{node.func.value} became {other}"
    if isinstance(node.func, cst.Name) and node.func.value == "sorted" and node.args:
        yield node.with_changes(func=cst.Name("list"), args=node.args[:1]), "sorted became list"
    if isinstance(node.func, cst.Name) and node.func.value == "round" and len(node.args) == 2:
        yield node.with_changes(args=node.args[:1]), "round lost its digits"
    if len(node.args) > 1 and not _is_commutative(node):
        yield node.with_changes(args=_swapped(node.args)), f"two arguments swapped in {_code(node)}"
    if node.args and node.args[-1].keyword is not None:
        yield node.with_changes(args=node.args[:-1]), f"the last argument went away in {_code(node)}"


def _is_commutative(node: cst.Call) -> bool:
    return isinstance(node.func, cst.Name) and node.func.value in COMMUTATIVE


def _sign(operator: cst.CSTNode) -> str:
    return _code(operator).strip()


def _swapped(args: Sequence[cst.Arg]) -> list[cst.Arg]:
    first, second, *rest = args
    return [first.with_changes(value=second.value), second.with_changes(value=first.value), *rest]


def _loops(node: cst.CSTNode) -> Iterator[Change]:
    match node:
        case cst.For() | cst.CompFor():
            skipped = cst.parse_expression(f"list({_code(node.iter)})[1:]")
            yield node.with_changes(iter=skipped), "the loop skips its first element"
            if isinstance(node, cst.CompFor) and node.ifs:
                yield node.with_changes(ifs=node.ifs[1:]), "a filter went away"


_SPACE = cst.SimpleWhitespace(" ")


def _code(node: cst.CSTNode) -> str:
    return cst.Module(body=[]).code_for_node(node)


def is_call_of(node: cst.CSTNode | None, name: str) -> bool:
    """Return whether a node calls a function of this name."""
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and node.func.value == name
