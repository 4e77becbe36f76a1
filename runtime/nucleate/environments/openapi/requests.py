"""The arguments of an operation written into a request, as its document says: styles, exploded or not, forms, JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, urlencode

from nucleate.environments.openapi.openapi_values import Argument, Operation
from nucleate_sandbox import FunctionError, Json, JsonObject, canonical

RESERVED = ":/?#[]@!$&'()*+,;="
SEPARATORS = {"spaceDelimited": "%20", "pipeDelimited": "|"}
DOTS = frozenset({"", ".", ".."})  # as a part of a path they would lead somewhere else


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is sent, but for the base address and the credentials. `query` is encoded."""

    method: str
    path: str
    query: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None


def request_of(operation: Operation, arguments: JsonObject) -> Request:
    """Write checked arguments into a request; FunctionError for a value that has no place in it."""
    given = [(item, arguments[item.name]) for item in operation.arguments if item.name in arguments]
    path = operation.path
    for argument, value in given:
        if argument.place == "path":
            path = path.replace("{" + argument.wire + "}", _in_path(operation, argument, value))
    content = _content(operation, given)
    headers = {argument.wire: _in_header(operation, argument, value) for argument, value in _of("header", given)}
    if content is not None:
        headers["content-type"] = operation.media
    query = "&".join(part for argument, value in _of("query", given) for part in _in_query(argument, value))
    return Request(method=operation.method, path=path, query=query, headers=headers, content=content)


def _of(place: str, given: list[tuple[Argument, Json]]) -> Iterator[tuple[Argument, Json]]:
    return ((argument, value) for argument, value in given if argument.place == place and value is not None)


def _in_path(operation: Operation, argument: Argument, value: Json) -> str:
    written = quote(canonical(value), safe="") if argument.json else _styled(argument, value)
    if written in DOTS:
        raise _invalid(operation, argument, value, "cannot be a part of a path")
    return written


def _styled(argument: Argument, value: Json) -> str:
    parts = _flat(value, argument)
    if argument.style == "label":
        return "." + ("." if argument.explode else ",").join(parts)
    if argument.style == "matrix":
        return _matrix(argument, value, parts)
    return ",".join(parts)


def _matrix(argument: Argument, value: Json, parts: list[str]) -> str:
    if argument.explode and isinstance(value, list):
        return "".join(f";{argument.wire}={part}" for part in parts)
    if argument.explode and isinstance(value, dict):
        return "".join(f";{part}" for part in parts)
    return f";{argument.wire}={','.join(parts)}"


def _flat(value: Json, argument: Argument, *, safe: str = "") -> list[str]:
    """Return the encoded parts of a value: the elements of a list, `key=value` or key and value of an object."""
    if isinstance(value, list):
        return [quote(text(item), safe=safe) for item in value]
    if isinstance(value, dict):
        pairs = [(quote(key, safe=safe), quote(text(item), safe=safe)) for key, item in value.items()]
        return (
            [f"{key}={item}" for key, item in pairs] if argument.explode else [part for pair in pairs for part in pair]
        )
    return [quote(text(value), safe=safe)]


def _in_query(argument: Argument, value: Json) -> Iterator[str]:
    name, safe = quote(argument.wire, safe="[]"), RESERVED if argument.reserved else ""
    if argument.json:
        yield f"{name}={quote(canonical(value), safe=safe)}"
    elif isinstance(value, dict) and argument.style == "deepObject":
        for key, item in value.items():
            yield f"{name}[{quote(key, safe='')}]={quote(text(item), safe=safe)}"
    elif isinstance(value, dict) and argument.explode:
        yield from _flat(value, argument, safe=safe)
    elif isinstance(value, list) and argument.explode:
        yield from (f"{name}={part}" for part in _flat(value, argument, safe=safe))
    elif isinstance(value, list | dict):
        yield f"{name}={SEPARATORS.get(argument.style, ',').join(_flat(value, argument, safe=safe))}"
    else:
        yield f"{name}={quote(text(value), safe=safe)}"


def _in_header(operation: Operation, argument: Argument, value: Json) -> str:
    parts = [canonical(value)] if argument.json else _plain(value, argument)
    joined = ",".join(parts)
    if not joined.isprintable() or not joined.isascii():
        raise _invalid(operation, argument, value, "cannot stand in a header")
    return joined


def _plain(value: Json, argument: Argument) -> list[str]:
    if isinstance(value, list):
        return [text(item) for item in value]
    if isinstance(value, dict):
        pairs = [(key, text(item)) for key, item in value.items()]
        return [f"{k}={v}" for k, v in pairs] if argument.explode else [part for pair in pairs for part in pair]
    return [text(value)]


def _content(operation: Operation, given: list[tuple[Argument, Json]]) -> bytes | None:
    whole = [value for argument, value in given if argument.place == "body"]
    fields = {argument.wire: value for argument, value in given if argument.place == "field"}
    if not operation.media or not (whole or fields or _empty_body(operation)):
        return None
    value: Json = whole[0] if whole else fields
    if operation.media.endswith("json"):
        return canonical(value).encode()
    if operation.media.endswith("urlencoded") and isinstance(value, dict):
        return urlencode({key: _form(item) for key, item in value.items()}, doseq=True).encode()
    return text(value).encode()


def _empty_body(operation: Operation) -> bool:
    """Return whether the body is an object all of whose fields were left out."""
    return any(argument.place == "field" for argument in operation.arguments)


def _form(value: Json) -> str | list[str]:
    return [text(item) for item in value] if isinstance(value, list) else text(value)


def text(value: Json) -> str:
    """Return a value as it stands in a text: `true`, not `True`; a list or an object as JSON."""
    return value if isinstance(value, str) else canonical(value)


def _invalid(operation: Operation, argument: Argument, value: Json, why: str) -> FunctionError:
    return FunctionError(f"{operation.name}: {argument.name}={text(value)[:80]!r} {why}", kind="InvalidArguments")
