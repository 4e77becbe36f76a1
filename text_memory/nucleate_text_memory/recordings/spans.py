"""Spans of a trace, as agents and frameworks write them: executions of tools become steps, an agent's span a task."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from nucleate_text_memory.identity import canonical
from nucleate_text_memory.recordings.answers.answering import answered
from nucleate_text_memory.recordings.bounds import bounded, bounded_text
from nucleate_text_memory.recordings.lines import make_step
from nucleate_text_memory.recordings.names_in_use import NamesInUse
from nucleate_text_memory.recordings.observations import arguments_of
from nucleate_text_memory.recordings.span_content import NO_CONTENT, asked_by, failed_as, given_to, returned_by
from nucleate_text_memory.values import JsonObject, Step, StepError, Trajectory

_NAMES = ("gen_ai.tool.name", "ai.toolCall.name", "tool.name", "traceloop.entity.name")
_KEPT = ("gen_ai.conversation.id", "gen_ai.agent.name", "gen_ai.request.model", "gen_ai.provider.name")
_KINDS = (
    "gen_ai.operation.name", "openinference.span.kind", "traceloop.span.kind", "langsmith.span.kind", "mlflow.spanType",
    "operation.name",
)  # fmt: skip
_TOOLS = frozenset({"execute_tool", "TOOL", "tool", "ai.toolCall"})
_AGENTS = frozenset({"invoke_agent", "AGENT", "agent"})
_VERCEL = ("ai.generateText", "ai.streamText", "ai.generateObject", "ai.streamObject")


@dataclass(frozen=True, kw_only=True)
class Span:
    """One span, from a file or from a tracer in this process; times are nanoseconds, events are (name, attributes)."""

    trace: str
    id: str
    parent: str | None
    name: str
    start: int
    attributes: Mapping[str, Any] = field(default_factory=dict)
    resource: Mapping[str, Any] = field(default_factory=dict)
    events: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    failed: bool = False
    message: str = ""

    def first(self, *names: str) -> Any:
        """Return the first attribute that is there."""
        return next((self.attributes[name] for name in names if name in self.attributes), None)

    @property
    def is_tool(self) -> bool:
        """Return whether the span is the execution of a tool."""
        return bool(_TOOLS & self._kinds) and not self.name.endswith("(merged)")

    @property
    def is_agent(self) -> bool:
        """Return whether the span is an agent at work."""
        return bool(_AGENTS & self._kinds) or bool(self._kinds & {*_VERCEL})

    @property
    def tool(self) -> str:
        """Return the name of the tool."""
        return str(self.first(*_NAMES) or self.name.removeprefix("execute_tool "))

    @property
    def _kinds(self) -> set[str]:
        """Return what the span says it is, in the words of each convention; Vercel's name a function after a space."""
        found = [str(self.attributes[name]) for name in _KINDS if name in self.attributes]
        return {word for kind in found for word in (kind, kind.split(" ")[0])}


def tasks_of(
    spans: Iterable[Span], *, environment: str | None = None, names: NamesInUse | None = None
) -> Iterator[Trajectory]:
    """Yield a task for each agent of one trace that called a tool, and one for the tools that no agent called.

    An agent that another one called is a task of its own, and says whose (`parent`).
    """
    known = {span.id: span for span in spans}
    ordered = sorted(known.values(), key=lambda span: (span.start, span.id))
    groups: defaultdict[str, list[Span]] = defaultdict(list)
    for span in ordered:
        agents = _agents(span, known)
        groups[agents[0] if agents else ""].append(span)
    for agent, members in groups.items():
        tools = [span for span in members if span.is_tool and not _empty(span)]
        if tools:
            above = _agents(known[agent], known)[1:] if agent else []
            yield _task(agent, [*members, *(known[one] for one in above)], tools, environment, names or NamesInUse())


def without_content(spans: Iterable[Span]) -> int:
    """Return how many executions of tools say nothing but that they happened."""
    return sum(span.is_tool and _empty(span) for span in spans)


def _empty(span: Span) -> bool:
    given, returned = given_to(span), returned_by(span)
    if given is NO_CONTENT and returned is NO_CONTENT:
        return not span.failed
    bare: tuple[Any, ...] = ("{}", {}, None, NO_CONTENT)
    return "gcp.vertex.agent.tool_call_args" in span.attributes and given in bare and returned in bare


def _agents(span: Span, known: Mapping[str, Span]) -> list[str]:
    """Return the agents that a span belongs to, the nearest first."""
    found, seen = list[str](), set[str]()
    current: Span | None = span
    while current is not None and current.id not in seen:
        seen.add(current.id)
        if current.is_agent:
            found.append(current.id)
        current = known.get(current.parent or "")
    return found


def _task(agent: str, members: list[Span], tools: list[Span], environment: str | None, names: NamesInUse) -> Trajectory:
    head = next((span for span in members if span.id == agent), members[0])
    scope = environment or str(head.resource.get("service.name") or "traces")
    steps = tuple(_step(span, scope, names) for span in tools)
    kept: JsonObject = {name: head.attributes[name] for name in _KEPT if name in head.attributes}
    above = next((span.id for span in members if span.is_agent and span.id != agent), None) if agent else None
    kept |= {"parent": above} if above else {}
    return Trajectory(
        task_id=f"trace:{head.trace}" + (f":{agent}" if agent else ""),
        query=bounded_text(_query([head, *members]) or calls_as_query(head.name, steps)),
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
    return next((words for span in members if not span.is_tool and (words := asked_by(span))), "")


def _step(span: Span, scope: str, names: NamesInUse) -> Step:
    returned = returned_by(span)
    answer = answered(None, None if returned is NO_CONTENT else returned, failed=False if span.failed else None)
    error, kind = answer.error, failed_as(span)
    if span.failed or (kind is not None and error is None):
        said = span.message or (answer.result if isinstance(answer.result, str) else "") or str(kind)
        error = StepError(kind=str(kind or "EnvironmentError"), message=bounded_text(said))
    given = given_to(span)
    arguments = bounded(arguments_of(None if given is NO_CONTENT else given))
    assert isinstance(arguments, dict)
    error = error and replace(error, message=bounded_text(error.message))
    return make_step(names.function(span.tool, scope), arguments, bounded(answer.result), error)
