"""A span processor for OpenTelemetry: traces by the GenAI conventions become trajectories when they end.

`provider.add_span_processor(TrajectorySpans(runtime.learn))`. The spans that this runtime makes of its own are passed
over: what it does is recorded already.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable

from opentelemetry.context import Context
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.trace import Span as SdkSpan
from opentelemetry.trace import SpanContext, StatusCode, format_span_id, format_trace_id

from nucleate_text_memory import Trajectory
from nucleate_text_memory.recordings.spans import Span, tasks_of

_LOG = logging.getLogger(__name__)
OWN = "nucleate"


class TrajectorySpans(SpanProcessor):
    """Gathers the spans of each trace in this process; its root's end hands on what was done.

    `environment` names the scope; without it, the resource's `service.name` does. Of traces whose root never ends, no
    more than `most` are held: the oldest goes first.
    """

    def __init__(
        self, learn: Callable[[Trajectory], object], *, environment: str | None = None, most: int = 1000
    ) -> None:
        self._learn = learn
        self._environment = environment
        self._most = most
        self._lock = threading.Lock()
        self._traces: OrderedDict[int, list[Span]] = OrderedDict()

    def on_start(self, span: SdkSpan, parent_context: Context | None = None) -> None:
        """Nothing is known yet."""

    def on_end(self, span: ReadableSpan) -> None:
        """Keep the span; with the root, hand on the tasks of its trace."""
        if span.context is None or (span.instrumentation_scope and span.instrumentation_scope.name == OWN):
            return
        for task in tasks_of(self._ended(span, span.context), environment=self._environment):
            try:
                self._learn(task)
            except Exception:  # noqa: BLE001 - the outermost place: an application's span must end whatever learning meets
                _LOG.warning("a trace could not be learned from", exc_info=True)

    def shutdown(self) -> None:
        """Forget what was not finished."""
        with self._lock:
            self._traces.clear()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:  # noqa: ARG002 - the SDK's signature
        """Nothing waits but for the end of its trace."""
        return True

    def _ended(self, span: ReadableSpan, context: SpanContext) -> list[Span]:
        """Keep the span; return the spans of a trace that ends with it."""
        one = _span(span, context)
        with self._lock:
            if _is_root(span):
                return [*self._traces.pop(context.trace_id, []), one]
            self._traces.setdefault(context.trace_id, []).append(one)
            if len(self._traces) > self._most:
                self._traces.popitem(last=False)
        return []


def _is_root(span: ReadableSpan) -> bool:
    return span.parent is None or span.parent.is_remote


def _span(span: ReadableSpan, context: SpanContext) -> Span:
    return Span(
        trace=format_trace_id(context.trace_id),
        id=format_span_id(context.span_id),
        parent=format_span_id(span.parent.span_id) if span.parent else None,
        name=span.name,
        start=span.start_time or 0,
        attributes=dict(span.attributes or {}),
        resource=dict(span.resource.attributes),
        events=tuple((event.name, dict(event.attributes or {})) for event in span.events),
        failed=span.status.status_code is StatusCode.ERROR,
        message=span.status.description or "",
    )
