"""Spans of a trace by the GenAI conventions: `execute_tool` spans become steps, the agent's span a task."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from nucleate_text_memory.identity import canonical
from nucleate_text_memory.names import function_name
from nucleate_text_memory.recordings.bounds import bounded, bounded_text
from nucleate_text_memory.recordings.lines import LineFault, make_step
from nucleate_text_memory.recordings.observations import arguments_of, observed
from nucleate_text_memory.values import JsonObject, Step, StepError, Trajectory

_ASKED = ("gen_ai.input.messages", "gen_ai.prompt", "input.value", "traceloop.entity.input")
_NAMES = ("gen_ai.tool.name", "tool.name", "traceloop.entity.name")
_ARGUMENTS = ("gen_ai.tool.call.arguments", "input.value", "traceloop.entity.input")
_RESULTS = ("gen_ai.tool.call.result", "output.value", "traceloop.entity.output")
_KEPT = ("gen_ai.conversation.id", "gen_ai.agent.name", "gen_ai.request.model", "gen_ai.provider.name")


@dataclass(frozen=True, kw_only=True)
class Span:
    """One span, from a file or from a tracer in this process; times are nanoseconds."""

    trace: str
    id: str
    parent: str | None
    name: str
    start: int
    attributes: Mapping[str, Any] = field(default_factory=dict)
    resource: Mapping[str, Any] = field(default_factory=dict)
    failed: bool = False
    message: str = ""

    def first(self, *names: str) -> Any:
        """Return the first attribute that is there."""
        return next((self.attributes[name] for name in names if name in self.attributes), None)

    @property
    def is_tool(self) -> bool:
        """Return whether the span is the execution of a tool."""
        return self._kind in {"execute_tool", "TOOL", "tool"}

    @property
    def is_agent(self) -> bool:
        """Return whether the span is an agent at work."""
        return self._kind in {"invoke_agent", "AGENT", "agent"}

    @property
    def _kind(self) -> str:
        return str(self.first("gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind"))


def tasks_of(spans: Iterable[Span], *, environment: str | None = None) -> Iterator[Trajectory]:
    """Yield a task for each outermost agent of one trace, and one for the tools that no agent called."""
    known = {span.id: span for span in spans}
    ordered = sorted(known.values(), key=lambda span: (span.start, span.id))
    groups: defaultdict[str, list[Span]] = defaultdict(list)
    for span in ordered:
        groups[_outermost(span, known)].append(span)
    for agent, members in groups.items():
        tools = [span for span in members if span.is_tool]
        if tools:
            yield _task(agent, members, tools, environment)


def _outermost(span: Span, known: Mapping[str, Span]) -> str:
    found, seen = "", set[str]()
    current: Span | None = span
    while current is not None and current.id not in seen:
        seen.add(current.id)
        found = current.id if current.is_agent else found
        current = known.get(current.parent or "")
    return found


def _task(agent: str, members: list[Span], tools: list[Span], environment: str | None) -> Trajectory:
    head = next((span for span in members if span.id == agent), members[0])
    scope = environment or str(head.resource.get("service.name") or "traces")
    steps = tuple(_step(span, scope) for span in tools)
    kept: JsonObject = {name: head.attributes[name] for name in _KEPT if name in head.attributes}
    return Trajectory(
        task_id=f"trace:{head.trace}" + (f":{agent}" if agent else ""),
        query=bounded_text(_query(members) or calls_as_query(head.name, steps)),
        environment=scope,
        steps=steps,
        success=False if head.failed and head.is_agent else None,
        meta={"format": "otlp", "span": head.name, **kept},
    )


def calls_as_query(name: str, steps: Iterable[Step]) -> str:
    """Return what stands for a query that nobody recorded: the first calls, which tell distinct inputs apart."""
    shown = [f"{step.function}({canonical(step.arguments)})" for step, _ in zip(steps, range(3), strict=False)]
    return f"{name}: {'; '.join(shown)}"


def _query(members: Iterable[Span]) -> str:
    for span in members:
        words = "" if span.is_tool else _said(span.first(*_ASKED, "gen_ai.prompt.0.content"))
        if words:
            return words
    return ""


def _said(value: Any) -> str:
    """Return what the user said: the text itself, or the user's parts of a message list."""
    content, _ = observed(value, failed=False) if isinstance(value, str) else (value, None)
    if not isinstance(content, list):
        return content if isinstance(content, str) else ""
    messages = [message for message in content if isinstance(message, dict) and message.get("role") == "user"]
    return "\n".join(text for message in messages for text in _parts(message))


def _parts(message: dict[str, Any]) -> Iterator[str]:
    parts = message.get("parts", message.get("content"))
    for part in parts if isinstance(parts, list) else [parts]:
        words = part.get("content", part.get("text")) if isinstance(part, dict) else part
        if isinstance(words, str):
            yield words


def _step(span: Span, scope: str) -> Step:
    name = str(span.first(*_NAMES) or span.name.removeprefix("execute_tool "))
    result, error = observed(_plain(span.first(*_RESULTS)), failed=None if not span.failed else False)
    if span.failed:
        kind = str(span.first("error.type") or "EnvironmentError").rpartition(".")[2]
        result, error = None, StepError(kind=kind, message=bounded_text(span.message or kind))
    return make_step(function_name(name, scope), _arguments(name, span), bounded(result), error)


def _arguments(name: str, span: Span) -> JsonObject:
    value = _plain(span.first(*_ARGUMENTS))
    try:
        found = bounded(arguments_of(name, value))
    except LineFault:
        found = {"input": bounded(value)}
    assert isinstance(found, dict)
    return found


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
