"""An OpenTelemetry SDK in memory, for as long as a block lasts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from nucleate import telemetry
from nucleate.telemetry import Telemetry


class Seen:
    """An SDK in memory."""

    def __init__(self, *, content: bool = False) -> None:
        self._spans = InMemorySpanExporter()
        self._reader = InMemoryMetricReader()
        traces = TracerProvider()
        traces.add_span_processor(SimpleSpanProcessor(self._spans))
        self.telemetry = Telemetry(
            tracer=traces.get_tracer("nucleate"),
            meter=MeterProvider([self._reader]).get_meter("nucleate"),
            content=content,
        )

    def spans(self) -> list[tuple[str, dict[str, Any]]]:
        return [(span.name, dict(span.attributes or {})) for span in self.finished()]

    def finished(self) -> tuple[ReadableSpan, ...]:
        return self._spans.get_finished_spans()

    def sums(self) -> dict[str, list[tuple[dict[str, Any], float]]]:
        data = self._reader.get_metrics_data()
        assert data is not None
        (resource,) = data.resource_metrics
        (scope,) = resource.scope_metrics
        return {
            metric.name: [(dict(point.attributes or {}), point.sum) for point in metric.data.data_points]  # type: ignore[union-attr]
            for metric in scope.metrics
        }


@contextmanager
def seeing(*, content: bool = False) -> Iterator[Seen]:
    seen = Seen(content=content)
    before = telemetry.install(seen.telemetry)
    try:
        yield seen
    finally:
        telemetry.install(before)
