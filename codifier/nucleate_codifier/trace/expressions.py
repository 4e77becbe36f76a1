"""The expressions of a template: where the value of an argument comes from, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from nucleate_sandbox import Json


class Missing(LookupError):
    """The run has nothing where an expression points."""


@dataclass(frozen=True, kw_only=True)
class Const:
    """A value that was equal in every run and that no query mentions."""

    value: Json


@dataclass(frozen=True, kw_only=True)
class Param:
    """A parameter of the tool. An optional one is None where a run left the argument out."""

    name: str
    optional: bool = False


@dataclass(frozen=True, kw_only=True)
class Each:
    """A path element that stands for every element of a list, or every key or value of an object, in order."""

    over: Literal["items", "keys", "values"] = "items"
    only: tuple[Condition, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Condition:
    """A field of an element equals a value: one that was the same in every run, or one known before."""

    field: str
    equals: Known


@dataclass(frozen=True, kw_only=True)
class Where:
    """A path element that picks the only element whose field equals a value known before; several are an error.

    `among` leads to the elements: those of the list itself, or of the lists inside its elements, in order.
    """

    field: str
    equals: Known
    among: Path = (Each(),)


@dataclass(frozen=True, kw_only=True)
class Best:
    """A path element that picks the element with the least or greatest value of a field, of equals the first."""

    field: str
    most: bool
    among: Path = (Each(),)


@dataclass(frozen=True, kw_only=True)
class At:
    """A path element that picks the value under a key known before."""

    key: Known


@dataclass(frozen=True, kw_only=True)
class Var:
    """A value inside the result of an earlier step; a looped step's result is the list of its results."""

    step: int
    path: Path = ()


@dataclass(frozen=True, kw_only=True)
class Item:
    """A value inside the element that a loop is at."""

    path: Path = ()


@dataclass(frozen=True, kw_only=True)
class Record:
    """An object whose fields come from different places."""

    fields: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, kw_only=True)
class Items:
    """A list of fixed length whose elements come from different places."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, kw_only=True)
class Mapped:
    """A list with one value for each element of another list: `Item` in `element` stands for that one."""

    over: Param
    element: Expr


@dataclass(frozen=True, kw_only=True)
class Total:
    """The sum of the numbers in a list."""

    of: Var


@dataclass(frozen=True, kw_only=True)
class Turned:
    """A known value written in another way (see conversions.py)."""

    of: Known
    how: str


@dataclass(frozen=True, kw_only=True)
class Text:
    """A text put together from fixed words and known values."""

    parts: tuple[str | Known | Turned, ...]


@dataclass(frozen=True, kw_only=True)
class Guard:
    """A condition on an earlier result: that it has a value, or (`holds` is false) that it has another."""

    of: Var
    equals: Json
    holds: bool = True


Known: TypeAlias = Const | Param | Var | Item
PathElement: TypeAlias = str | int | Each | Where | Best | At
Path: TypeAlias = tuple[PathElement, ...]
Expr: TypeAlias = Const | Param | Var | Item | Record | Items | Mapped | Total | Turned | Text


def parts(expr: Expr) -> tuple[Expr, ...]:
    """Return the expression and everything inside it, also the values that its paths select by."""
    inner: tuple[Expr, ...] = ()
    if isinstance(expr, Record):
        inner = tuple(value for _, value in expr.fields)
    elif isinstance(expr, Items):
        inner = expr.items
    elif isinstance(expr, Mapped):
        inner = (expr.over, expr.element)
    elif isinstance(expr, Total | Turned):
        inner = (expr.of,)
    elif isinstance(expr, Text):
        inner = tuple(part for part in expr.parts if not isinstance(part, str))
    elif isinstance(expr, Var | Item):
        inner = tuple(selector for element in expr.path for selector in selectors(element))
    return (expr, *(part for child in inner for part in parts(child)))


def selectors(element: PathElement) -> tuple[Known, ...]:
    """Return the values that a path element selects by."""
    match element:
        case Where():
            return (element.equals, *(known for part in element.among for known in selectors(part)))
        case Best():
            return tuple(known for part in element.among for known in selectors(part))
        case Each():
            return tuple(condition.equals for condition in element.only)
        case At():
            return (element.key,)
        case _:
            return ()


def depends_on_item(expr: Expr) -> bool:
    """Return whether the expression has another value for each element of the loop that it stands in."""
    if isinstance(expr, Mapped):
        return False
    return isinstance(expr, Item) or any(depends_on_item(part) for part in parts(expr)[1:])
