"""What goes back to a client: one value as text for a model and as structure for a program, within bounds."""

from __future__ import annotations

from mcp_types import CallToolResult, TextContent

from nucleate.environments.mcp.results import ERROR
from nucleate_sandbox import Json, JsonObject, Limits, Outcome, canonical

MAX_BYTES = 100_000
SHOWN_BYTES = 2_000
MAX_SAID = 4_000
SHOWN_CALLS = 10


def answer(value: JsonObject) -> CallToolResult:
    """Return an object as the result of a call; one that is too large becomes an error that shows its beginning."""
    text = canonical(value)
    size = len(text.encode())
    if size > MAX_BYTES:
        return refusal(
            "ResultTooLarge",
            f"the result is {size:,} bytes of JSON and an answer holds {MAX_BYTES:,}; ask for less. It begins with "
            f"{text.encode()[:SHOWN_BYTES].decode(errors='ignore')}",
        )
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=value)


def refusal(kind: str, message: str, **more: Json) -> CallToolResult:
    """Return an error inside the result, so that the model that reads it can do better.

    It has no structured content: a client may hold that against the schema of results, and hide the error. What a
    program asks about it stands in `_meta`.
    """
    said = message if len(message) <= MAX_SAID else f"{message[:MAX_SAID]}…"
    error: JsonObject = {"kind": kind, "message": said, **more}
    text = "\n".join([f"{kind}: {said}", *(f"{name}: {canonical(value)}" for name, value in more.items())])
    return CallToolResult(content=[TextContent(type="text", text=text)], _meta={ERROR: error}, is_error=True)


def of_outcome(outcome: Outcome, limits: Limits) -> CallToolResult:
    """Return what a tool did: `{"result": …}`, or the failure with what to do about it."""
    error = outcome.error
    if error is None:
        return answer({"result": outcome.value})
    kind, message = error.kind, error.message
    if error.limit is not None:
        message = f"{message}; the limits of one call are {_said(limits)}: ask for less at once"
    calls: list[Json] = [call.function for call in outcome.calls[-SHOWN_CALLS:]]
    return refusal(kind, message, calls=calls) if calls else refusal(kind, message)


def _said(limits: Limits) -> str:
    return (
        f"{limits.wall_seconds:g} s, {limits.memory_bytes >> 20} MiB of memory, "
        f"{limits.bridge_calls} environment calls, {limits.result_bytes >> 20} MiB of result"
    )
