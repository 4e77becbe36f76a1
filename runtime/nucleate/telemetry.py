"""Spans and metrics by OpenTelemetry's conventions for generative AI; without an SDK they cost microseconds.

An application that sets OpenTelemetry up sees executions, admissions and model calls with no further configuration.
What was said (arguments, results, messages) is left out unless `Settings.telemetry_content` asks for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from opentelemetry import metrics, trace
from opentelemetry.metrics import Meter
from opentelemetry.trace import SpanKind, Status, StatusCode, Tracer

Value: TypeAlias = str | int | float | bool | Sequence[str]

# The names of the conventions that we use; the package that holds them all is still unstable.
OPERATION = "gen_ai.operation.name"
PROVIDER = "gen_ai.provider.name"
MODEL = "gen_ai.request.model"
FINISH = "gen_ai.response.finish_reasons"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
TOKEN_TYPE = "gen_ai.token.type"  # noqa: S105 - a name, not a secret
TOOL = "gen_ai.tool.name"
TOOL_TYPE = "gen_ai.tool.type"
ARGUMENTS = "gen_ai.tool.call.arguments"
RESULT = "gen_ai.tool.call.result"
AGENT = "gen_ai.agent.name"
CONVERSATION = "gen_ai.conversation.id"
INPUT_MESSAGES = "gen_ai.input.messages"
OUTPUT_MESSAGES = "gen_ai.output.messages"
ERROR = "error.type"

_TARGETS = (TOOL, MODEL, AGENT)
_LABELS = (OPERATION, PROVIDER, MODEL, TOOL, ERROR)
_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0)
_TOKENS = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576)


@dataclass(frozen=True)
class Noted:
    """A span under way: what is set here becomes its attributes when it ends."""

    attributes: dict[str, Value] = field(default_factory=dict)
    content: bool = False

    def say(self, key: str, value: Callable[[], Value]) -> None:
        """Note what was said, where content is asked for; it is not even worked out otherwise."""
        if self.content:
            self.attributes[key] = value()

    def set(self, attributes: Mapping[str, Value | None]) -> None:
        """Note more; a value of None is left out."""
        self.attributes.update({key: value for key, value in attributes.items() if value is not None})

    def failed(self, kind: str) -> None:
        """Note that the operation ended with an error of this kind."""
        self.attributes[ERROR] = kind


class Telemetry:
    """Where spans and metrics go: OpenTelemetry's global providers, unless others are given."""

    def __init__(self, *, tracer: Tracer | None = None, meter: Meter | None = None, content: bool = False) -> None:
        self._tracer = tracer or trace.get_tracer("nucleate")
        meter = meter or metrics.get_meter("nucleate")
        self._seconds = meter.create_histogram(
            "gen_ai.client.operation.duration", unit="s", explicit_bucket_boundaries_advisory=_SECONDS
        )
        self._tokens = meter.create_histogram(
            "gen_ai.client.token.usage", unit="{token}", explicit_bucket_boundaries_advisory=_TOKENS
        )
        self._content = content

    @contextmanager
    def span(self, operation: str, attributes: Mapping[str, Value] | None = None) -> Iterator[Noted]:
        """Measure one operation (`execute_tool`, `invoke_agent`, `chat`, `admit`, …); an exception marks it.

        The span is named by the operation and its target, as the conventions say: `execute_tool order_status`.
        """
        noted = Noted({OPERATION: operation, **(attributes or {})}, content=self._content)
        started = time.perf_counter()
        kind = SpanKind.CLIENT if operation == "chat" else SpanKind.INTERNAL
        with self._tracer.start_as_current_span(
            _name(noted), kind=kind, record_exception=False, set_status_on_exception=False
        ) as current:
            try:
                yield noted
            except BaseException as error:
                noted.failed(type(error).__qualname__)
                raise
            finally:
                self._end(current, noted, time.perf_counter() - started)

    def _end(self, current: trace.Span, noted: Noted, seconds: float) -> None:
        shown = noted.attributes
        current.set_attributes(shown)
        if ERROR in shown:
            current.set_status(Status(StatusCode.ERROR))
        labels = {key: shown[key] for key in _LABELS if key in shown}
        self._seconds.record(seconds, labels)
        for kind, name in (("input", INPUT_TOKENS), ("output", OUTPUT_TOKENS)):
            tokens = shown.get(name)
            if isinstance(tokens, int):
                self._tokens.record(tokens, {**labels, TOKEN_TYPE: kind})


_installed = [Telemetry()]


def install(telemetry: Telemetry) -> Telemetry:
    """Let this process report to it, and return what it reported to before."""
    before, _installed[0] = _installed[0], telemetry
    return before


def span(operation: str, attributes: Mapping[str, Value] | None = None) -> AbstractContextManager[Noted]:
    """Measure one operation where this process reports to."""
    return _installed[0].span(operation, attributes)


def _name(noted: Noted) -> str:
    target = next((str(noted.attributes[key]) for key in _TARGETS if key in noted.attributes), "")
    return f"{noted.attributes[OPERATION]} {target}".rstrip()
