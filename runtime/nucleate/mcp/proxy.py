"""Other MCP servers behind this one: their tools go onward unchanged, and what agents do with them is remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field

from mcp_types import CallToolResult, Tool

from nucleate.environments.mcp.mcp_environment import McpEnvironment
from nucleate.environments.mcp.results import failure_of, value_of
from nucleate.environments.noted import SEEN, note_of
from nucleate.mcp.answers import refusal
from nucleate.mcp.client_tasks import Tasks
from nucleate.mcp.offers import Offer, Visit
from nucleate_sandbox import FunctionError, FunctionSpec, JsonObject, SandboxError
from nucleate_text_memory import Step, StepError
from nucleate_text_memory.notes import FunctionNotes


@dataclass(frozen=True, kw_only=True)
class ServerProxy:
    """Offers what the servers offer; a name that two of them have, or that is taken, gets its server's before it."""

    servers: Sequence[McpEnvironment]
    scope: str
    tasks: Tasks
    notes: Mapping[str, FunctionNotes] = field(default_factory=dict)

    def offers(self, taken: Set[str]) -> Sequence[Offer]:
        """Return the servers' tools in the order of the servers, as each lists them."""
        found = [(up, function, tool) for up in self.servers for function, tool in _tools(up).items()]
        counts = Counter(tool.name for _, _, tool in found)
        ambiguous = {name for name, count in counts.items() if count > 1} | taken
        return [self._offer(up, function, tool, ambiguous) for up, function, tool in found]

    def _offer(self, up: McpEnvironment, function: str, tool: Tool, ambiguous: Set[str]) -> Offer:
        name = f"{up.name}__{tool.name}" if tool.name in ambiguous else tool.name
        shown = tool.model_copy(update={"name": name, "description": self._described(up, function, tool)})
        return Offer(description=shown, perform=lambda arguments, visit: self._pass(up, function, arguments, visit))

    def _described(self, up: McpEnvironment, function: str, tool: Tool) -> str | None:
        """Return what the server says of its tool, with what calls before this server's start have shown of it."""
        spec = up.functions.get(function)
        text = note_of(spec, self.notes) if spec is not None else ""
        return f"{tool.description or ''}\n{SEEN} {text}.".strip() if text else tool.description

    def _pass(self, up: McpEnvironment, function: str, arguments: JsonObject, visit: Visit) -> CallToolResult:
        """Call the server, and give back its very result; what it says becomes a step of the client's task."""
        visit.call.heard(function)
        spec = up.functions.get(function)
        try:
            result = up.result(function, arguments)
        except FunctionError as error:
            self._remember(visit, Step(function=function, arguments=arguments, error=_error(error)))
            return refusal(error.kind, error.message)
        self._remember(visit, step_of(function, arguments, result, spec))
        return result

    def _remember(self, visit: Visit, step: Step) -> None:
        self.tasks.add(visit.caller.session, self.scope, step, program=visit.caller.program)


def step_of(function: str, arguments: JsonObject, result: CallToolResult, spec: FunctionSpec | None) -> Step:
    """Return a call of a server's tool as an environment's step."""
    if result.is_error:
        return Step(function=function, arguments=arguments, error=_error(failure_of(function, result)))
    return Step(function=function, arguments=arguments, result=value_of(spec or FunctionSpec(name=function), result))


def _tools(environment: McpEnvironment) -> Mapping[str, Tool]:
    """Return the server's tools; those that it had last, where it does not answer now."""
    with suppress(SandboxError):
        _ = environment.functions  # reads the list again after the server has said that it changed
    return environment.tools


def _error(error: FunctionError) -> StepError:
    return StepError(kind=error.kind, message=error.message)
