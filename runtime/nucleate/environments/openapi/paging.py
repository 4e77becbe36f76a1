"""How an operation's answers come in pages: which argument asks for the next one, and which field names it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from nucleate_sandbox import JsonObject

TOKENS = (
    "cursor",
    "page_token",
    "pagetoken",
    "next_token",
    "nexttoken",
    "continuation_token",
    "starting_after",
    "after",
)
NUMBERS = ("page", "page_number", "pagenumber", "offset", "start", "skip")
NEXT = ("next_cursor", "nextcursor", "next_page_token", "nextpagetoken", "next_token", "nexttoken", "next_page", "next")
HOLDERS = ("pagination", "paging", "meta", "page_info", "pageinfo", "response_metadata", "links")
MORE = ("has_more", "hasmore", "has_next", "hasnext", "has_next_page", "hasnextpage")


def pages_of(arguments: Sequence[str], returns: JsonObject) -> JsonObject:
    """Return `argument`, and `field` or `more` where the answer has one; empty for an operation without pages."""
    argument = _first(arguments, TOKENS) or _first(arguments, NUMBERS)
    if argument is None:
        return {}
    field, more = _field(returns, NEXT), _field(returns, MORE)
    if field is None and more is None and argument.lower() in TOKENS:
        return {"argument": argument}
    found: JsonObject = {"argument": argument}
    return found | ({"field": field} if field else {}) | ({"more": more} if more else {})


def with_pages(doc: str, pages: JsonObject) -> str:
    """Return the documentation with a sentence on pages."""
    if not pages:
        return doc
    how = f"give `{pages['argument']}` for the next one"
    if "field" in pages:
        how += f", from `{pages['field']}` of the answer"
    end = f", as long as `{pages['more']}` is true" if "more" in pages else ""
    return f"{doc} Answers come in pages: {how}{end}.".strip()


def _first(names: Iterable[str], wanted: Sequence[str]) -> str | None:
    known = {name.lower(): name for name in names}
    return next((known[name] for name in wanted if name in known), None)


def _field(schema: JsonObject, wanted: Sequence[str]) -> str | None:
    """Return the path of the field, at the top of the answer or in one of the usual places below it."""
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return None
    own = _first(properties, wanted)
    if own is not None:
        return own
    for holder in (_first(properties, [name]) for name in HOLDERS):
        inner = properties[holder] if holder else None
        below = _field(inner, wanted) if isinstance(inner, dict) else None
        if below is not None:
            return f"{holder}.{below}"
    return None
