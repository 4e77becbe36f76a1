"""What an HTTP server answers, as a value or as an error of the function."""

from __future__ import annotations

import re
from dataclasses import dataclass

import httpx

from nucleate.environments.outside_content import reference
from nucleate_sandbox import FunctionError, Json, JsonError, JsonObject, parse

MAX_DETAIL = 500
GONE = frozenset({502, 503, 504})  # nobody behind the address answered
KINDS = {
    400: "BadRequest",
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    406: "NotAcceptable",
    408: "Timeout",
    409: "Conflict",
    410: "Gone",
    412: "PreconditionFailed",
    413: "RequestTooLarge",
    415: "UnsupportedMediaType",
    422: "InvalidArguments",
    429: "TooManyRequests",
}
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")


@dataclass(frozen=True, kw_only=True)
class HttpAnswer:
    """A whole answer, within the bound."""

    status: int
    media: str
    body: bytes
    headers: httpx.Headers


def value_of(name: str, answer: HttpAnswer, *, max_bytes: int) -> Json:
    """Return the body of a success as JSON: JSON as it is, text as a text, other bytes as a reference."""
    if answer.status == 204 or not answer.body:
        return None
    if _is_json(answer.media):
        try:
            return parse(answer.body, max_bytes=max_bytes)
        except JsonError as error:
            raise FunctionError(f"{name}: the answer is not JSON: {error}", kind="InvalidResult") from error
    if answer.media.startswith("text/") or answer.media in ("application/xml", "application/yaml"):
        return answer.body.decode("utf-8", "replace")
    return {"type": answer.media or "application/octet-stream", **reference(answer.body)}


def failure_of(name: str, answer: HttpAnswer) -> FunctionError:
    """Return the error that an answer of 400 and above is: its kind is what the server calls it, else its status."""
    content = _content(answer)
    kind = _named(content) or KINDS.get(answer.status) or ("ServerError" if answer.status >= 500 else "RequestFailed")
    detail = _detail(content) if content else " ".join(answer.body[:MAX_DETAIL].decode("utf-8", "replace").split())
    return FunctionError(f"{name}: {answer.status} {detail[:MAX_DETAIL]}".strip(), kind=kind)


def names_itself(answer: HttpAnswer) -> bool:
    """Return whether an error's body names a kind: then somebody behind the address has answered."""
    return _named(_content(answer)) is not None


def _is_json(media: str) -> bool:
    return media == "application/json" or media.endswith("+json")


def _content(answer: HttpAnswer) -> JsonObject:
    if not _is_json(answer.media):
        return {}
    try:
        content = parse(answer.body)
    except JsonError:
        return {}
    if isinstance(content, dict) and isinstance(content.get("error"), dict):
        inner = content["error"]
        return inner if isinstance(inner, dict) else content
    return content if isinstance(content, dict) else {}


def _named(content: JsonObject) -> str | None:
    """Return the kind that the body names: a problem's type or title (RFC 9457), or a code in words."""
    kind = content.get("type")
    problem = kind.rstrip("/").rpartition("/")[2].rpartition(":")[2] if isinstance(kind, str) else ""
    named = [problem if problem != "blank" else "", content.get("code"), content.get("kind")]
    named += [content.get("title") if "status" in content else None, content.get("error")]
    return next((word for text in named if isinstance(text, str) and (word := _word(text))), None)


def _word(text: str) -> str | None:
    """Return a short text as one word in capitals: out-of-stock → OutOfStock; None for a sentence."""
    words = _WORD.findall(text)
    if not words or len(words) > 6 or len(text) > 60:
        return None
    return "".join(word[0].upper() + (word[1:].lower() if word.isupper() else word[1:]) for word in words)


def _detail(content: JsonObject) -> str:
    for key in ("detail", "message", "error_description", "error", "title"):
        value = content.get(key)
        if isinstance(value, str) and value:
            return " ".join(value.split())
    return ""
