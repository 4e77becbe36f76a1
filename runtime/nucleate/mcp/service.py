"""The five meta-tools and the direct tools, over one runtime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcp_types import CallToolResult

from nucleate.mcp.answers import answer, of_outcome, refusal
from nucleate.mcp.catalogue import Served, Shelf
from nucleate.mcp.checking import unfit, unknown_name, wrong_arguments
from nucleate.mcp.direct import Direct
from nucleate.mcp.offers import Offer, Visit, meta_tool
from nucleate.mcp.pages import entry_page, found_page, tool_page
from nucleate.mcp.tasks import Closing, Tasks
from nucleate.runtime import Runtime
from nucleate_sandbox import JsonObject, Limits, Outcome
from nucleate_text_memory import Step, StepError
from nucleate_tool_library import LibraryError

TEXT: JsonObject = {"type": "string"}
LIMIT: JsonObject = {"type": "integer", "minimum": 1, "maximum": 20, "default": 5}


class Service:
    """Finds, describes and calls tools, recalls, and takes reports. Every method may be called from any thread."""

    def __init__(self, runtime: Runtime, shelf: Shelf, tasks: Tasks, *, direct: Direct) -> None:
        self._runtime = runtime
        self._shelf = shelf
        self._tasks = tasks
        self._direct = direct
        self._meta = self._meta_tools()

    def offers(self) -> Sequence[Offer]:
        """Return what is listed: the meta-tools, then the direct tools."""
        chosen = self._direct.choose(self._shelf.now().sound)
        taken = {offer.name for offer in self._meta}
        return (*self._meta, *(self._offer(item) for item in chosen if item.name not in taken))

    def offer(self, name: str) -> Offer | None:
        """Return what has this name, listed or not."""
        found = next((offer for offer in self._meta if offer.name == name), None)
        served = self._served(name) if found is None else None
        return self._offer(served) if served is not None and served.description is not None else found

    def names(self) -> Sequence[str]:
        """Return every name that can be called."""
        return (*(offer.name for offer in self._meta), *self._shelf.now().served)

    def served(self) -> Mapping[str, Served]:
        """Return the library tools that are served, by name."""
        return self._shelf.now().served

    def search_tools(self, arguments: JsonObject, visit: Visit) -> CallToolResult:
        """Find tools by what they do."""
        query, limit = str(arguments["query"]), arguments.get("limit", 5)
        self._tasks.searched(visit.caller.session, query, program=visit.caller.program)
        found = self._shelf.search(query, limit=limit if isinstance(limit, int) else 5)
        return answer({"tools": [found_page(item) for item in found]})

    def describe_tool(self, arguments: JsonObject, _visit: Visit) -> CallToolResult:
        """Say everything that a caller needs to know of one tool."""
        name = str(arguments["name"])
        served = self._served(name)
        return answer({"tool": tool_page(served)}) if served is not None else self._unknown(name)

    def call_tool(self, arguments: JsonObject, visit: Visit) -> CallToolResult:
        """Call one tool by name."""
        name, given = str(arguments["name"]), arguments.get("arguments")
        served = self._served(name)
        return self.call(served, given if isinstance(given, dict) else {}, visit) if served else self._unknown(name)

    def call(self, served: Served, arguments: JsonObject, visit: Visit) -> CallToolResult:
        """Call a tool in its environment, and remember the call as a step of the client's task."""
        version = served.tool.version
        if served.description is None:
            return refusal("BrokenTool", f"{served.name}: {served.broken}; use another tool")
        if wrong := wrong_arguments(served.name, version.signature.parameters, arguments):
            return wrong
        outcome = self._runtime.call(served.tool.name, arguments, served.environment, path="mcp")
        self._remember(served, arguments, outcome, visit)
        result = of_outcome(outcome, Limits())
        promised = served.description.output_schema
        if outcome.ok and not result.is_error and promised is not None:
            reason = unfit(result.structured_content, promised)
            if reason is not None:
                return refusal("UnexpectedResult", f"{served.name} was called, {reason}", result=outcome.value)
        return result

    def recall(self, arguments: JsonObject, visit: Visit) -> CallToolResult:
        """Return the plans, facts and pitfalls that fit a task."""
        query = str(arguments["query"])
        self._tasks.searched(visit.caller.session, query, program=visit.caller.program)
        entries = [entry for scope in self._shelf.environments for entry in self._runtime.recall(query, scope=scope)]
        return answer({"entries": [entry_page(entry) for entry in entries]})

    def report_outcome(self, arguments: JsonObject, visit: Visit) -> CallToolResult:
        """End the client's task, and learn from it."""
        success = arguments.get("success")
        closing = Closing(
            success=success if isinstance(success, bool) else None, feedback=str(arguments.get("feedback", ""))
        )
        stored = self._tasks.finish(visit.caller.session, str(arguments["task"]), closing)
        return answer({"recorded": sum(len(trajectory.steps) for trajectory in stored)})

    def _meta_tools(self) -> tuple[Offer, ...]:
        anything: JsonObject = {"type": "object", "default": {}}
        optional: JsonObject = {"type": ["boolean", "null"], "default": None}
        return (
            meta_tool(
                self.search_tools,
                "search_tools",
                "Find tested tools by what they do. Say the task in your own words.",
                {"query": TEXT, "limit": LIMIT},
                gives="tools",
            ),
            meta_tool(
                self.describe_tool,
                "describe_tool",
                "Show a tool's parameters, result, effects and an example.",
                {"name": TEXT},
                gives="tool",
            ),
            meta_tool(
                self.call_tool,
                "call_tool",
                "Call a tool that search_tools found.",
                {"name": TEXT, "arguments": anything},
                gives="result",
                reads=False,
            ),
            meta_tool(
                self.recall,
                "recall",
                "Recall plans, facts and pitfalls from earlier tasks like this one.",
                {"query": TEXT},
                gives="entries",
            ),
            meta_tool(
                self.report_outcome,
                "report_outcome",
                "Say once, at its end, how the task went; later tasks profit from it.",
                {"task": TEXT, "success": optional, "feedback": {"type": "string", "default": ""}},
                gives="recorded",
                reads=False,
            ),
        )

    def _offer(self, served: Served) -> Offer:
        assert served.description is not None  # only sound tools are offered
        return Offer(
            description=served.description, perform=lambda arguments, visit: self.call(served, arguments, visit)
        )

    def _served(self, name: str) -> Served | None:
        """Return the tool of this name, or that of an older name that still stands for it."""
        catalogue = self._shelf.now().served
        if name in catalogue:
            return catalogue[name]
        try:
            tool = self._runtime.library.tool(name)
        except LibraryError:
            return None
        return next((item for item in catalogue.values() if item.tool.version.id == tool.version.id), None)

    def _unknown(self, name: str) -> CallToolResult:
        return unknown_name("UnknownTool", name, list(self._shelf.now().served))

    def _remember(self, served: Served, arguments: JsonObject, outcome: Outcome, visit: Visit) -> None:
        step = Step(function=served.tool.name, arguments=arguments, result=outcome.value, error=_error(outcome))
        self._tasks.add(visit.caller.session, served.tool.scope, step, program=visit.caller.program)


def _error(outcome: Outcome) -> StepError | None:
    if outcome.failure is None:
        return None
    return StepError(kind=outcome.failure.kind, message=outcome.failure.message)
