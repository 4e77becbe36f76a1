"""Other MCP servers behind this one: their tools go onward unchanged, and what agents do with them is remembered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field

from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, Tool

from nucleate.environments.mcp.mcp_environment import McpEnvironment
from nucleate.environments.mcp.results import failure_of, protocol_failure, value_of
from nucleate.environments.noted import SEEN, note_of
from nucleate.mcp.answers import refusal
from nucleate.mcp.client_tasks import Tasks
from nucleate.mcp.offers import Offer, Visit
from nucleate.recording.log import error_of
from nucleate.recording.stored import stored, stored_object
from nucleate.recording.unharmed import left_out
from nucleate_sandbox import FunctionError, FunctionSpec, JsonObject, SandboxError
from nucleate_text_memory import Step
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
        found = [(up, tool) for up in self.servers for tool in _tools(up)]
        counts = Counter(tool.name for _, tool in found)
        ambiguous = {name for name, count in counts.items() if count > 1} | taken
        return [self._offer(up, tool, ambiguous) for up, tool in found]

    def unrecorded(self) -> Sequence[str]:
        """Say which tools are passed on without being learned from, and which cannot be passed on, and why."""
        return [
            f"the tool {name!r} of {up.name!r} is {_fate(up, name)}: {reason}"
            for up in self.servers
            for name, reason in ((full.partition(".")[2] or full, why) for full, why in up.unusable.items())
        ]

    def _offer(self, up: McpEnvironment, tool: Tool, ambiguous: Set[str]) -> Offer:
        name = f"{up.name}__{tool.name}" if tool.name in ambiguous else tool.name
        told = self._described(up, tool)
        shown = tool.model_copy(update={"name": name} if told is None else {"name": name, "description": told})
        return Offer(description=shown, perform=lambda arguments, visit: self._pass(up, tool.name, arguments, visit))

    def _described(self, up: McpEnvironment, tool: Tool) -> str | None:
        """Return what the server says of its tool, with what calls before this server's start have shown of it."""
        spec = up.functions.get(up.function_of(tool.name) or "")
        text = note_of(spec, self.notes) if spec is not None else ""
        return f"{tool.description or ''}\n{SEEN} {text}.".strip() if text else None

    def _pass(self, up: McpEnvironment, tool: str, arguments: JsonObject, visit: Visit) -> CallToolResult:
        """Call the server, and give back its very answer; what it says becomes a step of the client's task."""
        function = up.function_of(tool)
        visit.call.heard(function or tool)
        try:
            result = up.pass_on(tool, arguments)
        except FunctionError as error:
            self._remember(up, function, arguments, error, visit)
            return refusal(error.kind, error.message)
        except MCPError as error:
            self._remember(up, function, arguments, protocol_failure(tool, error), visit)
            raise
        self._remember(up, function, arguments, result, visit)
        return result

    def _remember(
        self,
        up: McpEnvironment,
        function: str | None,
        arguments: JsonObject,
        answer: CallToolResult | FunctionError,
        visit: Visit,
    ) -> None:
        """Add a call to the client's task; whatever goes wrong with that is no matter of the client's."""
        if function is not None:
            with left_out(f"a call of {function}"):
                step = step_of(function, up.named(function, arguments), answer, up.functions.get(function))
                self.tasks.add(visit.caller.session, self.scope, step, program=visit.caller.program)


def step_of(
    function: str, arguments: JsonObject, answer: CallToolResult | FunctionError, spec: FunctionSpec | None
) -> Step:
    """Return a call of a server's tool as an environment's step."""
    if isinstance(answer, CallToolResult) and not answer.is_error:
        value = value_of(spec or FunctionSpec(name=function), answer)
        return Step(function=function, arguments=stored_object(arguments), result=stored(value))
    error = failure_of(function, answer) if isinstance(answer, CallToolResult) else answer
    return Step(function=function, arguments=stored_object(arguments), error=error_of(error))


def _fate(up: McpEnvironment, tool: str) -> str:
    known = any(item.name == tool for item in up.every)
    return "passed on, and nothing is learned from it" if known else "left out, since no client could read it"


def _tools(environment: McpEnvironment) -> Sequence[Tool]:
    """Return the server's tools; those that it had last, where it does not answer now."""
    with suppress(SandboxError):
        _ = environment.functions  # reads the list again after the server has said that it changed
    return environment.every
