"""A retrieval program: a named sequence of primitives with their parameters, as data (ERSkill; ALGORITHMS §9)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from nucleate_text_memory.errors import BadProgram

_DATA = resources.files("nucleate_text_memory.retrieval") / "data"

Count = Annotated[int, Field(ge=1, le=100_000)]
Share = Annotated[float, Field(ge=0, le=1)]


class Primitive(BaseModel):
    """One step of a program."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Lexical(Primitive):
    """Search: documents that share words with the query, by BM25."""

    op: Literal["lexical"] = "lexical"
    limit: Count = 200


class Dense(Primitive):
    """Search: documents whose vector is near the query's, by cosine."""

    op: Literal["dense"] = "dense"
    limit: Count = 200


class Entity(Primitive):
    """Search: documents that share names, ids, codes or quoted words with the query."""

    op: Literal["entity"] = "entity"
    limit: Count = 100


class Similarity(Primitive):
    """Expand: the nearest documents of each of the best `top`, at `share` of its score times the cosine."""

    op: Literal["similarity"] = "similarity"
    top: Count = 5
    limit: Count = 5
    share: Share = 0.5


class Relation(Primitive):
    """Expand: the documents that the best `top` name as related, or that name them."""

    op: Literal["relation"] = "relation"
    top: Count = 10
    share: Share = 0.5


class Temporal(Primitive):
    """Expand: who stands up to `before` and `after` places from each of the best `top` in its group."""

    op: Literal["temporal"] = "temporal"
    top: Count = 50
    before: Annotated[int, Field(ge=0, le=20)] = 1
    after: Annotated[int, Field(ge=0, le=20)] = 1
    share: Share = 0.5


class Fuse(Primitive):
    """Process: one score from the searches so far: the weighted mean of k/(k + rank)."""

    op: Literal["fuse"] = "fuse"
    k: Annotated[float, Field(gt=0)] = 10.0
    weights: Mapping[Literal["lexical", "dense", "entity"], Annotated[float, Field(ge=0)]] = {}


class Rescore(Primitive):
    """Process: the probability that a document answers, from its features by a named vector of weights.

    The weights are for documents in groups, the turns of a session; where no document has one, scores stay as they are.
    """

    op: Literal["rescore"] = "rescore"
    weights: str


class Prefer(Primitive):
    """Process: scores times (1 − w + w·x), for x = trust, value, and recency: ½ to the age in half-lives."""

    op: Literal["prefer"] = "prefer"
    trust: Share = 0.0
    value: Share = 0.0
    recency: Share = 0.0
    half_life_days: Annotated[float, Field(gt=0)] = 30.0


class Filter(Primitive):
    """Process: drop what is not valid at the moment asked for, or trusted or scored too low."""

    op: Literal["filter"] = "filter"
    valid: bool = True
    min_trust: Share = 0.0
    min_score: float = 0.0


class Pack(Primitive):
    """Process: the best that fit: at most `limit` documents and `budget` tokens."""

    op: Literal["pack"] = "pack"
    limit: Count | None = None
    budget: Count | None = None


Step: TypeAlias = Annotated[
    Lexical | Dense | Entity | Similarity | Relation | Temporal | Fuse | Rescore | Prefer | Filter | Pack,
    Field(discriminator="op"),
]
PRIMITIVES = tuple(sorted(kind.model_fields["op"].default for kind in get_args(get_args(Step)[0])))


class Program(BaseModel):
    """A named sequence of primitives."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]


class Weights(BaseModel):
    """A vector of weights by feature, and what it was fitted on."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    fitted_on: str
    bias: float
    weights: dict[str, float]


def read_program(text: str) -> Program:
    """Return the program that a JSON text describes; BadProgram says what is wrong with it and where."""
    try:
        return Program.model_validate_json(text)
    except ValidationError as error:
        raise BadProgram("; ".join(_said(dict(each)) for each in error.errors())) from error


@cache
def seed(name: str) -> Program:
    """Return a program that ships with the package: `lexical`, `hybrid` or `default`."""
    return read_program(_read("program", name))


def seeds() -> tuple[str, ...]:
    """Return the names of the programs that ship with the package."""
    return tuple(sorted(_stems("program")))


@cache
def load_weights(name: str) -> Weights:
    """Return a vector of weights that ships with the package."""
    return Weights.model_validate_json(_read("weights", name))


def _read(kind: str, name: str) -> str:
    if name not in _stems(kind):
        raise BadProgram(f"no {kind} {name!r} ships with the package; known: {', '.join(sorted(_stems(kind)))}")
    return (_DATA / f"{kind}_{name}.json").read_text(encoding="utf-8")


def _stems(kind: str) -> set[str]:
    names = (each.name for each in _DATA.iterdir())
    return {name[len(kind) + 1 : -len(".json")] for name in names if name.startswith(f"{kind}_")}


def _said(error: Mapping[str, object]) -> str:
    location = error["loc"]
    where = ".".join(str(part) for part in location) if isinstance(location, tuple) else ""
    if error["type"] in ("union_tag_invalid", "union_tag_not_found"):
        value = error["input"]
        op = value.get("op") if isinstance(value, dict) else value
        return f"{where}: unknown primitive {op!r}; known: {', '.join(PRIMITIVES)}"
    return f"{where or 'program'}: {error['msg']}, not {error['input']!r}"
