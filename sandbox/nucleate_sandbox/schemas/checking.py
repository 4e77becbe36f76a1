"""Holds a value to a schema within a budget: what is wrong, and what could not be checked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError
from referencing import Registry

from nucleate_sandbox.json_values import Json, JsonObject, canonical
from nucleate_sandbox.schemas.budget import CURRENT, MAX_ERRORS, CheckBudget, Exhausted
from nucleate_sandbox.schemas.keywords import LIBRARY, OWN, bounded
from nucleate_sandbox.schemas.modern import NAMED, modern
from nucleate_sandbox.schemas.unevaluated import unevaluated_items, unevaluated_properties

VALUES = frozenset({"const", "enum", "required", "dependentRequired"})
PLACES = frozenset({"$id", "$anchor", "$dynamicAnchor", "$defs", "definitions"})
OTHERS = frozenset({"then", "else", "minContains", "maxContains"})  # read by the keyword beside them
KEYWORDS = {
    **LIBRARY,
    **OWN,
    "unevaluatedProperties": unevaluated_properties,
    "unevaluatedItems": unevaluated_items,
}
_Bounded: Any = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {word: bounded(word, keyword) for word, keyword in KEYWORDS.items()}
)


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What a check found: at most MAX_ERRORS errors, and each keyword that could not be checked, with the reason."""

    errors: tuple[ValidationError, ...] = ()
    unchecked: tuple[str, ...] = ()


def check(schema: JsonObject, value: Json, *, closed: bool = False) -> Checked:
    """Hold a value to a schema of any draft, with about a second of work at the most; it raises nothing.

    `closed` refuses properties at the root that the schema does not name, unless it says itself what becomes of them.
    """
    budget = CheckBudget()
    token = CURRENT.set(budget)
    errors: list[ValidationError] = []
    try:
        found = _validator(canonical(schema), closed).iter_errors(value)
        errors += islice(found, MAX_ERRORS)
    except Exhausted:
        budget.skip("the rest: checking it all would take too long")
    except RecursionError:
        budget.skip("the rest: schema or value lead too deep")
    except Exception as error:  # noqa: BLE001 - a stranger's schema and a stranger's value: their fault ends here
        budget.skip(f"the rest: {type(error).__name__}: {str(error)[:120]}")
    finally:
        CURRENT.reset(token)
    return Checked(errors=tuple(errors), unchecked=tuple(budget.unchecked))


def holds(schema: JsonObject, value: Json) -> bool:
    """Tell whether nothing is found wrong with a value."""
    return not check(schema, value).errors


@lru_cache(maxsize=1024)
def _validator(text: str, closed: bool) -> Any:
    schema = modern(json.loads(text))
    if closed and not {"additionalProperties", "unevaluatedProperties"} & schema.keys():
        # JSON Schema lets unknown properties pass; an argument that nobody reads is a mistake of the caller.
        schema["unevaluatedProperties"] = False
    # An empty registry: a schema that refers to an address must not make the host fetch it.
    return _Bounded(_bare(schema), registry=Registry())


def _bare(schema: Any) -> Any:
    """Leave out what checks nothing, so that each place that is entered has a keyword that is counted."""
    if isinstance(schema, list):
        return [_bare(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {word: _inside(word, value) for word, value in schema.items() if word in KEYWORDS.keys() | PLACES | OTHERS}
    return kept or True


def _inside(word: str, value: Any) -> Any:
    if word in VALUES:
        return value
    if word in NAMED and isinstance(value, dict):
        return {name: _bare(item) for name, item in value.items()}
    return _bare(value)
