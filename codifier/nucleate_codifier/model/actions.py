"""What the model may say: one action per turn, and arguments for queries that it is shown later."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from nucleate_sandbox import JsonObject, parse

MAX_HELPERS = 8
MAX_SOURCE = 20_000


def _json_object(text: str) -> str:
    if not text.strip():
        return "{}"
    if not isinstance(parse(text), dict):
        raise ValueError("a JSON object in a string is needed")
    return text


# Providers that promise a schema cannot promise an open object, so arguments travel as text.
ObjectText = Annotated[str, AfterValidator(_json_object)]


def object_of(text: str) -> JsonObject:
    """Return the JSON object that a valid ObjectText holds."""
    value = parse(text)
    return value if isinstance(value, dict) else {}


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Support(_Strict):
    """A query (by its number in the prompt) that a helper serves, with the arguments for it."""

    query: int
    arguments: ObjectText


class Covered(_Strict):
    """Which variation between the queries a parameter stands for."""

    parameter: str
    variation: str


class TestFile(_Strict):
    """A pytest file of a helper."""

    __test__ = False

    name: str = Field(pattern=r"^test_[a-z0-9_]{1,40}\.py$")
    text: str = Field(max_length=MAX_SOURCE)


class Helper(_Strict):
    """One tool of a submission."""

    name: str
    source: str = Field(max_length=MAX_SOURCE)
    tests: tuple[TestFile, ...] = ()
    supports: tuple[Support, ...]
    covers: tuple[Covered, ...] = ()


class TryCode(_Strict):
    """Run code in the sandbox."""

    do: Literal["try_code"]
    code: str = Field(max_length=MAX_SOURCE)


class SearchFunctions(_Strict):
    """Find functions of the environment."""

    do: Literal["search_functions"]
    query: str


class DescribeFunction(_Strict):
    """See one function in full."""

    do: Literal["describe_function"]
    name: str


class Submit(_Strict):
    """Hand in tools, to be judged together."""

    do: Literal["submit"]
    helpers: tuple[Helper, ...] = Field(min_length=1, max_length=MAX_HELPERS)


class GiveUp(_Strict):
    """End the work without a tool."""

    do: Literal["give_up"]
    reason: str


class Turn(_Strict):
    """One reply in the loop."""

    thought: str = ""
    action: Annotated[
        TryCode | SearchFunctions | DescribeFunction | Submit | GiveUp,
        Field(discriminator="do"),
    ]


class Binding(_Strict):
    """The arguments with which an agent would call a tool for one query."""

    query: int
    applies: bool
    arguments: ObjectText = "{}"


class Bindings(_Strict):
    """A reply to the question with which arguments a tool is called."""

    bindings: tuple[Binding, ...]
