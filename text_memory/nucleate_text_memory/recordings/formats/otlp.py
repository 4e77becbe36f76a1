"""Traces as OTLP JSON: one export a line, or one document; spans are gathered by trace until the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from nucleate_text_memory.recordings.formats.reader import Read, RecordingSource, loads
from nucleate_text_memory.recordings.lines import LineFault
from nucleate_text_memory.recordings.spans import Span, tasks_of, without_content

_ERROR = ("2", "STATUS_CODE_ERROR")


class Otlp:
    """Reads exports; a trace may be spread over several of them."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source
        self._traces: defaultdict[str, list[Span]] = defaultdict(list)

    def read(self, number: int, text: str) -> Read:  # noqa: ARG002 - the signature is the Reader's
        """Keep the spans; yield nothing, since a later line may belong to the same trace."""
        for span in _spans(loads(text)):
            self._traces[span.trace].append(span)
        return ()

    def end(self) -> Read:
        """Yield the tasks of all traces, in the order in which the traces began to be read."""
        environment = self._source.environment
        for spans in self._traces.values():
            self._source.leave_out("spans without content", without_content(spans))
            yield from tasks_of(spans, environment=environment, names=self._source.kept.names)


def _spans(document: dict[str, Any]) -> Iterator[Span]:
    for resource in _items(document, "resourceSpans", "resource_spans"):
        described = resource.get("resource")
        about = _attributes(described.get("attributes") if isinstance(described, dict) else None)
        for scope in _items(resource, "scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
            for span in _items(scope, "spans"):
                yield _span(span, about)


def _items(value: dict[str, Any], *names: str) -> list[dict[str, Any]]:
    found: Any = next((value[name] for name in names if name in value), [])
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise LineFault(f"{names[0]!r} is not a list of objects")
    return found


def _span(span: dict[str, Any], resource: dict[str, Any]) -> Span:
    status = span.get("status")
    status = status if isinstance(status, dict) else {}
    start = str(span.get("startTimeUnixNano", span.get("start_time_unix_nano", 0)))
    if not start.isdigit():
        raise LineFault(f"startTimeUnixNano is {start!r}, which is no number")
    return Span(
        trace=str(span.get("traceId", span.get("trace_id", ""))),
        id=str(span.get("spanId", span.get("span_id", ""))),
        parent=str(span.get("parentSpanId", span.get("parent_span_id", ""))) or None,
        name=str(span.get("name", "")),
        start=int(start),
        attributes=_attributes(span.get("attributes")),
        resource=resource,
        events=tuple(_event(event) for event in _items(span, "events")),
        failed=str(status.get("code")) in _ERROR,
        message=str(status.get("message", "")),
    )


def _event(event: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return str(event.get("name", "")), _attributes(event.get("attributes"))


def _attributes(items: Any) -> dict[str, Any]:
    listed = items if isinstance(items, list) else []
    pairs = [item for item in listed if isinstance(item, dict) and isinstance(item.get("key"), str)]
    return {item["key"]: _value(item.get("value")) for item in pairs}


def _value(value: Any) -> Any:
    """Return the value of an AnyValue; 64-bit integers are texts in JSON."""
    if not isinstance(value, dict) or len(value) != 1:
        return value
    ((kind, content),) = value.items()
    inner = content.get("values") if isinstance(content, dict) else None
    if kind in {"intValue", "int_value"} and isinstance(content, str):
        return int(content)
    if kind in {"arrayValue", "array_value"}:
        return [_value(item) for item in inner] if isinstance(inner, list) else []
    if kind in {"kvlistValue", "kvlist_value"}:
        return _attributes(inner)
    return content
