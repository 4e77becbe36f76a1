"""What may stand at the top of a tool's module: definitions, and constants that need no run to be known."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from nucleate_codifier.admission.reading.source import quoted
from nucleate_codifier.values import Finding

_CALLS = frozenset({"frozenset", "set", "tuple", "list", "dict", "auto", "field"}) | frozenset(
    {"re.compile", "Decimal", "decimal.Decimal", "Fraction", "fractions.Fraction", "NewType", "typing.NewType"}
    | {f"{prefix}{name}" for prefix in ("", "typing.") for name in ("TypeVar", "ParamSpec")}
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
_BASES = frozenset({"TypedDict", "Enum", "StrEnum", "IntEnum", "NamedTuple", "Protocol", "Generic"})
_WITHOUT_METHODS = frozenset({"TypedDict"})
# A table by a comprehension: over what the module itself holds, by functions that only look at it.
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_PLAIN_CALLS = frozenset(
    {"enumerate", "zip", "range", "sorted", "reversed", "len", "str", "int", "float", "min", "max"}
)
_PLAIN_METHODS = frozenset(
    {"upper", "lower", "title", "capitalize", "casefold", "strip", "replace", "split", "items", "keys", "values"}
)
_LONGEST = 10_000  # of a range


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
        case ast.If(test=test, body=body, orelse=[]) if _is_type_checking(test) and all(map(_is_import, body)):
            return
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
    bases = {_dotted(_unsubscripted(base)).rpartition(".")[2] for base in node.bases}
    decorators = {_dotted(item.func if isinstance(item, ast.Call) else item) for item in node.decorator_list}
    is_dataclass = bool(decorators & {"dataclass", "dataclasses.dataclass"})
    if not (is_dataclass or bases) or not bases <= _BASES | classes | {"str", "int"}:
        yield Finding(
            rule="parse/class",
            line=node.lineno,
            message=f"the class {quoted(node.name)} is no TypedDict, NamedTuple, dataclass, Enum or Protocol",
            fix="use one of those for data, and private functions for behaviour",
        )
    for item in node.body:
        yield from _member(item, node.name, methods=not bases & _WITHOUT_METHODS, protocol="Protocol" in bases)


def _member(node: ast.stmt, owner: str, *, methods: bool, protocol: bool) -> Iterator[Finding]:
    match node:
        case ast.FunctionDef() if methods:
            yield from _method(node, owner, protocol=protocol)
        case ast.Pass() | ast.Expr(value=ast.Constant(value=str())) | ast.AnnAssign(value=None):
            return
        case ast.Assign(targets=[ast.Name()], value=value) | ast.AnnAssign(value=ast.expr() as value):
            yield from _constant(value)
        case _:
            yield Finding(
                rule="parse/class",
                line=node.lineno,
                message=f"the class {quoted(owner)} holds more than fields ({_kind(node)!r})",
                fix="move behaviour into a private function, or into a plain method with annotations",
            )


def _method(node: ast.FunctionDef, owner: str, *, protocol: bool) -> Iterator[Finding]:
    """A plain method is a function of one value; what Python itself calls by its name is none."""
    arguments = [*node.args.args, *node.args.kwonlyargs]
    hook = node.name.startswith("_") and node.name.endswith("_") and not (protocol and node.name == "__call__")
    bare = any(argument.annotation is None for argument in arguments[1:]) or node.returns is None
    if hook or bare or not arguments or node.args.posonlyargs or node.args.vararg or node.args.kwarg:
        yield Finding(
            rule="parse/class",
            line=node.lineno,
            message=f"{quoted(node.name)} of the class {quoted(owner)} is no plain method with annotations",
            fix="give it `self`, plain parameters and a result with annotations, and a name that Python does not call",
        )
    yield from _defaults(node)
    yield from _annotations(node)


def _is_type_checking(test: ast.expr) -> bool:
    return _dotted(test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _unsubscripted(base: ast.expr) -> ast.expr:
    return base.value if isinstance(base, ast.Subscript) else base


def _table(value: ast.expr) -> Iterator[Finding]:
    """Yield a finding for each call in a comprehension that does more than look at what the module holds."""
    for part in ast.walk(value):
        match part:
            case ast.Call(func=ast.Name(id="range"), args=limits):
                if not all(
                    isinstance(n, ast.Constant) and isinstance(n.value, int) and n.value <= _LONGEST for n in limits
                ):
                    yield _effect(part, "the range of a table has no small literal end")
            case ast.Call(func=ast.Name(id=name)) if name in _PLAIN_CALLS:
                continue
            case ast.Call(func=ast.Attribute(attr=name)) if name in _PLAIN_METHODS:
                continue
            case ast.Call() | ast.Await() | ast.Yield() | ast.YieldFrom() | ast.NamedExpr() | ast.Lambda():
                yield _effect(part, f"{_kind(part)!r} in a table runs when the module is loaded")


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
        case _ if isinstance(value, _COMPREHENSIONS):
            yield from _table(value)
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
