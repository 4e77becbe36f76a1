"""What a model is told of a tool or an entry: what it needs to call or to heed, and no more."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate.mcp.catalogue import Served
from nucleate.mcp.listing import short
from nucleate_sandbox import Json, JsonObject, canonical
from nucleate_text_memory import Entry

MAX_EXAMPLE = 1_000


def found_page(served: Served) -> JsonObject:
    """Return a tool as search shows it: its signature is mostly all that a call needs."""
    signature = served.tool.version.signature
    return {"name": served.name, "signature": signature.text, "description": short(signature.doc)}


def tool_page(served: Served) -> JsonObject:
    """Return a tool in full."""
    version = served.tool.version
    page: JsonObject = {
        "name": served.name,
        "signature": version.signature.text,
        "doc": version.signature.doc,
        "parameters": version.signature.parameters,
        "returns": version.signature.returns,
        "calls": list(version.capabilities),
        "environment": served.tool.scope,
        "uses": served.tool.uses,
        "broken": served.broken,
        "example": _example(version.evidence),
    }
    return {key: value for key, value in page.items() if value not in ("", [], None)}


def entry_page(entry: Entry, tools: Sequence[str]) -> JsonObject:
    """Return an entry of the text memory, with the tools that do what a plan says, by the names to call them by."""
    page: JsonObject = {
        "kind": entry.kind.value,
        "title": entry.title,
        "body": entry.body,
        "tools": [*tools],
        "environment": entry.scope,
    }
    return {key: value for key, value in page.items() if value}


def _example(evidence: JsonObject) -> Json:
    """Return one recorded call, where it is short."""
    seen = evidence.get("seen")
    examples = [item for item in seen if isinstance(item, dict)] if isinstance(seen, list) else []
    calls: list[JsonObject] = [{"arguments": item.get("arguments"), "result": item.get("result")} for item in examples]
    return next((call for call in calls if len(canonical(call)) <= MAX_EXAMPLE), None)
