"""Every node of Python's grammar, 3.11 to 3.14, decided by name: allowed, allowed under conditions, or refused.

What is not in the table is refused too, so a construct of a future Python waits until somebody has thought about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_ALLOWED = """
    Module Expression Expr Assign AugAssign AnnAssign Return If For While Break Continue Pass Raise Assert
    Nonlocal BoolOp BinOp UnaryOp Compare IfExp Lambda NamedExpr ListComp SetComp DictComp GeneratorExp comprehension
    Await AsyncFunctionDef Yield YieldFrom JoinedStr FormattedValue Constant Subscript Slice Starred List Tuple Set Dict
    Try With withitem Match match_case
    MatchValue MatchSingleton MatchSequence MatchMapping MatchStar MatchAs MatchOr
    TypeAlias TypeVar TypeVarTuple ParamSpec
    Load Store Del And Or Add Sub Mult MatMult Div Mod Pow LShift RShift BitOr BitXor BitAnd FloorDiv
    Invert Not UAdd USub Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn
"""

CONDITIONS: Mapping[str, str] = MappingProxyType(
    {
        "Attribute": "read only, public, and no way into frames, code or an error's object",
        "Call": "`type` only where it is compared; `.format` on literal text, or a constant of it, with plain fields",
        "ClassDef": "plain data with plain methods: TypedDict, dataclass, Enum or Protocol, without a metaclass",
        "Delete": "names and elements, no attributes",
        "ExceptHandler": "with a class, and one on the list of builtins",
        "FunctionDef": "without decorators",
        "Import": "modules on the list of the policy's level",
        "ImportFrom": "public members of modules on the list of the policy's level",
        "MatchClass": "a plain name without keyword patterns",
        "Name": "no name of the interpreter's own",
        "alias": "as the import says",
        "arg": "no name of the interpreter's own",
        "arguments": "no name of the interpreter's own",
        "keyword": "no name of the interpreter's own",
    }
)

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "AsyncFor": "the environment is called by plain functions; there is nothing to iterate asynchronously",
        "AsyncWith": "the environment is called by plain functions; there is nothing to enter asynchronously",
        "FunctionType": "a comment that speaks to a checker",
        "Global": "a tool keeps nothing between two calls",
        "Interactive": "a tool is a module, not a session",
        "Interpolation": "a template string hands values to code that nobody has judged",
        "TemplateStr": "a template string hands values to code that nobody has judged",
        "TryStar": "an exception group can carry what ends a program past its handler",
        "TypeIgnore": "a comment that speaks to a checker",
    }
)
ALLOWED = frozenset(_ALLOWED.split())
DECIDED = ALLOWED | CONDITIONS.keys() | REASONS.keys()


def why_not(node: str) -> str | None:
    """Return why no tool may use a node; None where it may, perhaps under conditions."""
    if node in ALLOWED or node in CONDITIONS:
        return None
    return REASONS.get(node, "nobody has decided about it yet")
