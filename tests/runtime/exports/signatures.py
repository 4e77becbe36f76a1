"""Fifty signatures with every kind of parameter that a tool may have, and which of them have a strict form."""

from __future__ import annotations

from nucleate_tool_library import Signature, read_signature

TYPES = """
from dataclasses import dataclass, field
from enum import Enum, IntEnum, StrEnum
from typing import Annotated, Any, Literal, NotRequired, Optional, Required, TypedDict, Union

class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"

class Level(IntEnum):
    LOW = 1
    HIGH = 2

class Mixed(Enum):
    A = "a"
    B = 2

class Address(TypedDict):
    street: str
    city: str
    zip: NotRequired[str]

class Loose(TypedDict, total=False):
    note: str
    count: int

class Maybe(TypedDict):
    name: str
    nick: NotRequired[str | None]

class Order(TypedDict):
    sku: str
    ship_to: Address

class Cash(TypedDict):
    coins: int

class Card(TypedDict):
    number: str
    owner: str

class Cheque(TypedDict):
    number: str

@dataclass
class Point:
    x: float
    y: float = 0.0

@dataclass
class Line:
    start: Point
    points: list[Point]

Size = Literal["s", "m", "l"]
DEFAULT = 3
"""

STRICT = {
    "no_parameters": "",
    "text": "name: str",
    "four_scalars": "a: str, b: int, c: float, d: bool",
    "default_number": "limit: int = 10",
    "default_text": "order: str = 'asc'",
    "default_flag": "deep: bool = False",
    "default_named": "limit: int = DEFAULT",
    "optional": "name: str | None = None",
    "optional_typing": "name: Optional[str] = None",
    "nullable_required": "name: str | None",
    "union": "key: int | str",
    "union_typing": "key: Union[int, str, bool]",
    "union_with_default": "key: int | str = 7",
    "union_of_three_and_null": "key: int | str | None = None",
    "literal": "size: Literal['s', 'm', 'l']",
    "literal_alias_default": "size: Size = 'm'",
    "literal_numbers": "step: Literal[1, 2, 5]",
    "literal_mixed": "key: Literal['all', 0, 1]",
    "literal_with_null": "key: Literal['a', None] = None",
    "literal_flag": "sure: Literal[True]",
    "enum": "colour: Colour",
    "enum_default_by_value": "colour: Colour | None = None",
    "enum_numbers": "level: Level",
    "enum_mixed": "value: Mixed",
    "list_of_text": "names: list[str]",
    "list_optional": "names: list[str] | None = None",
    "list_of_lists": "rows: list[list[int]]",
    "set_of_text": "tags: set[str]",
    "pair_of_numbers": "at: tuple[float, float]",
    "many_numbers": "values: tuple[int, ...] = ()",
    "typed_dict": "address: Address",
    "typed_dict_optional": "address: Address | None = None",
    "typed_dict_all_optional": "options: Loose",
    "typed_dict_nested": "order: Order",
    "list_of_typed_dicts": "orders: list[Order]",
    "dataclass": "point: Point",
    "dataclass_nested": "line: Line",
    "union_of_records": "payment: Cash | Card",
    "union_of_record_and_text": "address: Address | str",
    "annotated": "name: Annotated[str, 'a name']",
    "keyword_only": "*, name: str",
    "keyword_only_default": "name: str, *, limit: int = 5, order: Literal['asc', 'desc'] = 'asc'",
    "everything": "name: str, at: Point, *, tags: list[str] | None = None, size: Size = 's', key: int | str = 1",
}

LOOSE = {
    "null_beside_default": ("limit: int | None = 10", "null is a value of limit and not its default"),
    "null_beside_absence": ("who: Maybe", "null is a value of who.nick and not its default"),
    "any_key": ("prices: dict[str, float]", "prices takes keys of any name"),
    "bare_dict": ("data: dict", "data takes keys of any name"),
    "nested_dict": ("rows: list[dict[str, Address]]", "each item of rows takes keys of any name"),
    "anything": ("value: Any", "value may be anything"),
    "mixed_tuple": ("pair: tuple[str, int]", "each place of pair has a type of its own"),
    "like_records": ("payment: Card | Cheque", "two alternatives of payment begin with the same key"),
}


def source(name: str, parameters: str) -> str:
    """Return a tool's module: it returns what it was called with."""
    return (
        f'{TYPES}\ndef {name}({parameters}) -> dict:\n    """Return the arguments of {name}."""\n    return locals()\n'
    )


def signature(name: str, parameters: str) -> Signature:
    """Return a signature, read as the library reads it."""
    return read_signature(source(name, parameters), name)


ALL = {name: signature(name, text) for name, text in {**STRICT, **{k: v[0] for k, v in LOOSE.items()}}.items()}
