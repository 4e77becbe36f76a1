"""Signatures and schemas are read from the tree, with every type kept."""

from __future__ import annotations

import pytest

from nucleate_tool_library import LibraryError, Signature, read_signature
from nucleate_tool_library.values import JsonObject

HEADER = """
import enum
import typing as t
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NotRequired, Optional, TypeAlias, TypedDict
from typing import List as Row

LIMIT = 5
Ids: TypeAlias = list[int]

class Colour(enum.StrEnum):
    RED = "red"
    DARK_BLUE = enum.auto()

class Address(TypedDict):
    city: str
    zip: NotRequired[str]

class Customer(Address, total=False):
    name: t.Required[str]
    orders: list[int]

@dataclass
class Point:
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)

class Node(TypedDict):
    children: list["Node"]
"""


def schema_of(annotation: str) -> JsonObject:
    source = f'{HEADER}\ndef f(x: {annotation}) -> None:\n    """Do."""\n'
    properties = read_signature(source, "f").parameters["properties"]
    assert isinstance(properties, dict)
    schema = properties["x"]
    assert isinstance(schema, dict)
    return schema


ADDRESS: JsonObject = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "zip": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
CASES: dict[str, JsonObject] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
    "None": {"type": "null"},
    "Any": {},
    "object": {},
    "Unknown": {},
    "t.Callable[[int], str]": {},
    "'int'": {"type": "integer"},
    "'not ( valid'": {},
    "Optional[int]": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    "int | str | None": {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
    "t.Union[int, t.Union[str, int]]": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    "int | Any": {},
    "list": {"type": "array"},
    "list[int]": {"type": "array", "items": {"type": "integer"}},
    "Row[str]": {"type": "array", "items": {"type": "string"}},
    "set[str]": {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
    "tuple[int, ...]": {"type": "array", "items": {"type": "integer"}},
    "tuple[int, str]": {
        "type": "array",
        "prefixItems": [{"type": "integer"}, {"type": "string"}],
        "minItems": 2,
        "maxItems": 2,
    },
    "tuple[()]": {"type": "array", "prefixItems": [], "minItems": 0, "maxItems": 0},
    "dict": {"type": "object"},
    "dict[str, Any]": {"type": "object"},
    "dict[str, list[int]]": {
        "type": "object",
        "additionalProperties": {"type": "array", "items": {"type": "integer"}},
    },
    "Literal['a', 'b']": {"type": "string", "enum": ["a", "b"]},
    "Literal[1, 'b']": {"enum": [1, "b"]},
    "Annotated[int, 'cents']": {"type": "integer"},
    "Ids": {"type": "array", "items": {"type": "integer"}},
    "Colour": {"type": "string", "enum": ["red", "dark_blue"]},
    "Address": ADDRESS,
    "Customer": {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "zip": {"type": "string"},
            "name": {"type": "string"},
            "orders": {"type": "array", "items": {"type": "integer"}},
        },
        "required": ["city", "name"],
        "additionalProperties": False,
    },
    "Point": {
        "type": "object",
        "properties": {
            "x": {"type": "integer"},
            "y": {"type": "integer"},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["x"],
        "additionalProperties": False,
    },
    "Node": {
        "type": "object",
        "properties": {"children": {"type": "array"}},
        "required": ["children"],
        "additionalProperties": False,
    },
}


@pytest.mark.parametrize("annotation", CASES)
def test_an_annotation_keeps_its_type(annotation: str) -> None:
    assert schema_of(annotation) == CASES[annotation]


def test_a_signature_is_read_whole() -> None:
    source = f'''{HEADER}
async def ship(order: int, *, note: str = "none", limit: int = LIMIT, **more: str) -> list[int]:
    """Ship an order.

    Args:
        order: The order's
            number.

    Returns:
        The parcels.
    """
    return []

def _helper(x): ...
'''
    assert read_signature(source, "ship") == Signature(
        name="ship",
        text="async def ship(order: int, *, note: str='none', limit: int=LIMIT, **more: str) -> list[int]",
        doc="Ship an order.\n\nArgs:\n    order: The order's\n        number.\n\nReturns:\n    The parcels.",
        parameters={
            "type": "object",
            "properties": {
                "order": {"type": "integer", "description": "The order's number."},
                "note": {"type": "string", "default": "none"},
                "limit": {"type": "integer", "default": 5},
            },
            "required": ["order"],
            "additionalProperties": {"type": "string"},
        },
        returns={"type": "array", "items": {"type": "integer"}, "description": "The parcels."},
    )


DOUBLING = "from typing import TypedDict\n" + "".join(
    f"class T{n}(TypedDict):\n    a: 'T{n + 1}'\n    b: 'T{n + 1}'\n" for n in range(30)
)
REFUSED = {
    "def g() -> None: ...": "the module has no public function 'f', only 'g'; rename it",
    "x = 1": "the module has no public function 'f', only private ones; rename it",
    "def f(): ...\ndef g(): ...": "a tool has one public function, this module has 'f', 'g'; begin the others with '_'",
    "def f(*a: int): ...": "'f' has parameters without a keyword; tools are called by keyword alone",
    "def f(a: int, /): ...": "'f' has parameters without a keyword; tools are called by keyword alone",
    "def f(:": "the source is not valid Python (line 1: invalid syntax); correct it and try again",
    DOUBLING + "def f(x: T0) -> None: ...": "the annotations expand to more than 2000 schema nodes; flatten the types",
}


@pytest.mark.parametrize("source", REFUSED)
def test_a_module_that_is_no_tool_is_refused_in_one_sentence(source: str) -> None:
    with pytest.raises(LibraryError) as caught:
        read_signature(source, "f")
    assert str(caught.value) == REFUSED[source]


@pytest.mark.parametrize(
    "source", ["\0", "(" * 5000, "-" * 50_000 + "1", "def f(x: " + "list[" * 90 + "int" + "]" * 90]
)
def test_hostile_source_is_refused_not_crashed_on(source: str) -> None:
    with pytest.raises(LibraryError):
        read_signature(source, "f")
