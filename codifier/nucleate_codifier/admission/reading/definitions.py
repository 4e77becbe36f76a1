"""What may stand at the top of a tool's module: definitions, and constants that need no run to be known."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nucleate_codifier.admission.reading.source import quoted
from nucleate_codifier.values import Finding

_CALLS = frozenset({"frozenset", "set", "tuple", "list", "dict", "auto", "field"}) | frozenset(
    {"re.compile", "Decimal", "decimal.Decimal", "Fraction", "fractions.Fraction", "NewType", "typing.NewType"}
    | {f"{prefix}{name}" for prefix in ("", "datetime.") for name in ("timedelta", "date", "datetime", "time")}
)
_EXPRESSIONS = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.Subscript,
    ast.List,
    ast.Tuple,
    ast.Set,
    ast.Dict,
    ast.UnaryOp,
    ast.BinOp,
    ast.Slice,
)
_BASES = frozenset({"TypedDict", "Enum", "StrEnum", "IntEnum", "NamedTuple"})


def misplaced(module: ast.Module) -> Iterator[Finding]:
    """Yield a finding for each statement of the module that is no definition or would run when it is loaded."""
    classes = {node.name for node in module.body if isinstance(node, ast.ClassDef)}
    for node in module.body:
        yield from _statement(node, classes)


def _statement(node: ast.stmt, classes: set[str]) -> Iterator[Finding]:
    match node:
        case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant(value=str())):
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from _defaults(node)
            yield from _annotations(node)
        case ast.ClassDef():
            yield from _class(node, classes)
        case ast.Assign(targets=[ast.Name()], value=value):
            yield from _constant(value)
        case ast.AnnAssign(target=ast.Name(), value=ast.expr() as value):
            yield from _constant(value)
        case _ if type(node).__name__ == "TypeAlias":  # `type X = …`, from Python 3.12 on
            return
        case _:
            yield _effect(node, f"the statement {_kind(node)!r} runs when the module is loaded")


def _defaults(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Finding]:
    defaults = [*function.args.defaults, *(item for item in function.args.kw_defaults if item is not None)]
    for default in defaults:
        yield from _constant(default)
        if isinstance(default, ast.List | ast.Dict | ast.Set):
            yield Finding(
                rule="parse/mutable-default",
                line=default.lineno,
                message=f"a default of {quoted(function.name)} is one mutable object that all calls share",
                fix="use None or a tuple as the default",
            )


def _annotations(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Finding]:
    """Yield a finding for each call in an annotation, which is evaluated where the function is defined."""
    arguments = [item.annotation for item in ast.walk(function.args) if isinstance(item, ast.arg)]
    for annotation in (*arguments, function.returns):
        for part in ast.walk(annotation) if annotation is not None else ():
            if isinstance(part, ast.Call | ast.NamedExpr | ast.Lambda | ast.Await):
                yield _effect(part, f"an annotation of {quoted(function.name)} runs when the module is loaded")


def _class(node: ast.ClassDef, classes: set[str]) -> Iterator[Finding]:
    bases = {_dotted(base).rpartition(".")[2] for base in node.bases}
    decorators = {_dotted(item.func if isinstance(item, ast.Call) else item) for item in node.decorator_list}
    is_dataclass = bool(decorators & {"dataclass", "dataclasses.dataclass"})
    if not (is_dataclass or bases) or not bases <= _BASES | classes | {"str", "int"}:
        yield Finding(
            rule="parse/class",
            line=node.lineno,
            message=f"the class {quoted(node.name)} is no TypedDict, dataclass or Enum",
            fix="use one of those for data, and private functions for behaviour",
        )
    for item in node.body:
        yield from _member(item, node.name)


def _member(node: ast.stmt, owner: str) -> Iterator[Finding]:
    match node:
        case ast.Pass() | ast.Expr(value=ast.Constant(value=str())) | ast.AnnAssign(value=None):
            return
        case ast.Assign(targets=[ast.Name()], value=value) | ast.AnnAssign(value=ast.expr() as value):
            yield from _constant(value)
        case _:
            yield Finding(
                rule="parse/class",
                line=node.lineno,
                message=f"the class {quoted(owner)} holds more than fields ({_kind(node)!r})",
                fix="move behaviour into a private function",
            )


def _constant(value: ast.expr) -> Iterator[Finding]:
    """Yield a finding for each part of an expression that would have to be run to be known."""
    match value:
        case ast.Call() if _dotted(value.func) in _CALLS:
            for child in [*value.args, *(item.value for item in value.keywords)]:
                yield from _constant(child)
        case ast.Call():
            yield _effect(
                value, f"the call of {quoted(_dotted(value.func) or 'an expression')} runs when the module is loaded"
            )
        case _ if isinstance(value, _EXPRESSIONS):
            for part in ast.iter_child_nodes(value):
                if isinstance(part, ast.expr):
                    yield from _constant(part)
        case _:
            yield _effect(value, f"the expression {_kind(value)!r} runs when the module is loaded")


def _effect(node: ast.stmt | ast.expr, message: str) -> Finding:
    return Finding(
        rule="parse/module-effect",
        line=node.lineno,
        message=message,
        fix="move it into the function, or write a literal",
    )


def _kind(node: ast.AST) -> str:
    return type(node).__name__


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        head = _dotted(node.value)
        return f"{head}.{node.attr}" if head else ""
    return node.id if isinstance(node, ast.Name) else ""
