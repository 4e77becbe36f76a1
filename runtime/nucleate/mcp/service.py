"""What clients ask for, over one runtime: find, describe, call, recall, report."""

from __future__ import annotations

from mcp_types import CallToolResult

from nucleate.mcp.answers import answer, of_outcome, refusal
from nucleate.mcp.catalogue import CatalogueReader, Served
from nucleate.mcp.checking import unfit, unknown_name, wrong_arguments
from nucleate.mcp.client_tasks import Closing, Tasks
from nucleate.mcp.offers import Visit
from nucleate.mcp.pages import entry_page, found_page, tool_page
from nucleate.runtime import Runtime
from nucleate_sandbox import Json, JsonObject, Limits, Outcome
from nucleate_text_memory import Entry, Step, StepError
from nucleate_tool_library import LibraryError


class Service:
    """Finds, describes and calls tools, recalls, and takes reports. Every method may be called from any thread."""

    def __init__(self, runtime: Runtime, shelf: CatalogueReader, tasks: Tasks) -> None:
        self._runtime = runtime
        self._shelf = shelf
        self._tasks = tasks

    def search_tools(self, arguments: JsonObject, visit: Visit) -> CallToolResult:
        """Find tools by what they do."""
        query, limit = str(arguments["query"]), arguments.get("limit", 5)
        self._tasks.searched(visit.caller.session, query, program=visit.caller.program)
        found = self._shelf.search(query, limit=limit if isinstance(limit, int) else 5)
        return answer({"tools": [found_page(item) for item in found]})

    def describe_tool(self, arguments: JsonObject, _visit: Visit) -> CallToolResult:
        """Say everything that a caller needs to know of one tool."""
        name = str(arguments["name"])
        served = self.served(name)
        return answer({"tool": tool_page(served)}) if served is not None else self._unknown(name)

    def call_tool(self, arguments: JsonObject, visit: Visit) -> CallToolResult:
        """Call one tool by name."""
        name, given = str(arguments["name"]), arguments.get("arguments")
        served = self.served(name)
        return self.call(served, given if isinstance(given, dict) else {}, visit) if served else self._unknown(name)

    def call(self, served: Served, arguments: JsonObject, visit: Visit) -> CallToolResult:
        """Call a tool in its environment, and remember the call as a step of the client's task."""
        version = served.tool.version
        if served.description is None:
            return refusal("BrokenTool", f"{served.name}: {served.broken}; use another tool")
        if wrong := wrong_arguments(served.name, version.signature.parameters, arguments):
            return wrong
        outcome = self._runtime.call_version(version, arguments, served.environment, path="mcp")
        if not outcome.cancelled:  # what a client gave up says nothing about the task or the tool
            self._remember(served, arguments, outcome, visit)
        return _promised(served, of_outcome(outcome, Limits()))

    def recall(self, arguments: JsonObject, visit: Visit) -> CallToolResult:
        """Return the plans, facts and pitfalls that fit a task, and were not returned for it before."""
        query = str(arguments["query"])
        self._tasks.searched(visit.caller.session, query, program=visit.caller.program)
        entries = [entry for scope in self._shelf.environments for entry in self._runtime.recall(query, scope=scope)]
        new = self._tasks.told(visit.caller.session, [entry.id for entry in entries])
        return answer({"entries": [entry_page(entry, self._doing(entry)) for entry in entries if entry.id in new]})

    def _doing(self, entry: Entry) -> list[str]:
        """Return the names of the tools that do what an entry says, of those that can be called here."""
        found = [self.served(name) for name in entry.implements]
        sound = [one for one in found if one is not None and one.description is not None]
        return [one.name for one in sound if one.tool.scope == entry.scope]

    def begin_task(self, arguments: JsonObject, visit: Visit) -> CallToolResult:
        """Take the client's word for what it does from here on."""
        self._tasks.begin(visit.caller.session, str(arguments["task"]), program=visit.caller.program)
        return answer({"begun": True})

    def report_outcome(self, arguments: JsonObject, visit: Visit) -> CallToolResult:
        """End the client's task, and learn from it; a tool that was wrong hears of it."""
        success, feedback = arguments.get("success"), str(arguments.get("feedback", ""))
        if (name := str(arguments.get("wrong_tool", ""))) and (unknown := self._correct(name, feedback, visit)):
            return unknown
        closing = Closing(success=success if isinstance(success, bool) else None, feedback=feedback)
        stored = self._tasks.finish(visit.caller.session, str(arguments["task"]), closing)
        return answer({"recorded": sum(len(trajectory.steps) for trajectory in stored)})

    def _correct(self, name: str, why: str, visit: Visit) -> CallToolResult | None:
        served = self.served(name)
        if served is None:
            return self._unknown(name)
        by = f"agent:{visit.caller.program or visit.caller.client}"
        self._runtime.releases.correct(
            served.tool.name, scope=served.tool.scope, by=by, why=why or "its answer was wrong"
        )
        return None

    def served(self, name: str) -> Served | None:
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


def _promised(served: Served, result: CallToolResult) -> CallToolResult:
    """Return a result if it is what the tool's description promises; a client may trust that it is."""
    schema = served.description.output_schema if served.description is not None else None
    if result.is_error or schema is None or (reason := unfit(result.structured_content, schema)) is None:
        return result
    said = result.structured_content
    value: Json = said.get("result") if isinstance(said, dict) else None
    message = f"{served.name} was called, but its result is not of its type: {reason}"
    return refusal("UnexpectedResult", message, result=value)


def _error(outcome: Outcome) -> StepError | None:
    error = outcome.error
    return None if error is None else StepError(kind=error.kind, message=error.message)
