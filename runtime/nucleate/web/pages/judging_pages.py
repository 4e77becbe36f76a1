"""Calling a tool, editing it, and holding it against a recorded run: forms, and the work that they begin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from nucleate.calling_places import environment_for, recorded
from nucleate.editing import edit_tool
from nucleate.errors import InputInvalid
from nucleate.shown.argument_text import read_value
from nucleate.web.comparing_values import differences
from nucleate.web.known_errors import message_of
from nucleate.web.pages.tool_pages import examples, found_tool, tool_page
from nucleate.web.telling import WebWork
from nucleate.web.visit import NothingThere, PageVisit
from nucleate_codifier import verdict_json
from nucleate_codifier.rulebook import RULES
from nucleate_sandbox import JsonObject, Outcome
from nucleate_tool_library import LibraryError, Tool


def call_form(visit: PageVisit) -> Response:
    """Show a form with a field for each parameter of the schema."""
    tool = found_tool(visit)
    first = [*examples(tool.version.evidence, "seen"), *examples(tool.version.evidence, "held_out")]
    known = visit.site.effects().get(tool.scope, {})
    reached = sorted({name for item in visit.site.library.calls(tool.version.id) for name in item.capabilities})
    return tool_page(
        visit,
        "tool_call.html",
        tool,
        fields=_fields(tool.version.signature.parameters),
        example=(first[0].get("arguments") if first else {}) or {},
        tasks=[item.get("task_id") for item in first][:50],
        effects=[(name, known.get(name, "unknown")) for name in reached],
        destructive=any(known.get(name, "destructive") == "destructive" for name in reached),
    )


def call(visit: PageVisit) -> Response:
    """Call the tool in the sandbox, in a thread."""
    tool = found_post(visit)
    properties = tool.version.signature.parameters.get("properties")
    schemas = properties if isinstance(properties, dict) else {}
    required = tool.version.signature.parameters.get("required")
    needed = required if isinstance(required, list) else []
    given = {name: visit.raw(f"arg.{name}") for name in schemas}
    arguments: JsonObject = {
        name: read_value(text, schemas[name]) for name, text in given.items() if text or name in needed
    }
    task, approved, who = visit.given("task"), visit.given("approve") == "yes", _who(visit)

    def do(_work: WebWork) -> Mapping[str, Any]:
        with visit.site.calling, visit.site.asked.yes(who, given=approved):
            runtime = visit.site.runtime()
            place = environment_for(runtime, tool.scope, target=None, task=task or None)
            outcome = runtime.call(tool.name, arguments, place, path="web")
        return {"kind": "call", "outcome": outcome_values(outcome), "arguments": arguments}

    return _begin(visit, f"Call of {tool.name}", f"/tools/{tool.name}/call?scope={tool.scope}", do)


def replay(visit: PageVisit) -> Response:
    """Run the tool on a recorded task, and show what was recorded beside what it does."""
    tool, task = found_post(visit), visit.given("task")
    every = [*examples(tool.version.evidence, "seen"), *examples(tool.version.evidence, "held_out")]
    example = next((item for item in every if item.get("task_id") == task), None)
    if example is None:
        raise InputInvalid(f"the task {task!r} is no evidence of {tool.name!r}")
    arguments = example.get("arguments")

    def do(_work: WebWork) -> Mapping[str, Any]:
        with visit.site.calling:
            runtime = visit.site.runtime()
            outcome = runtime.redo(
                tool.version, arguments if isinstance(arguments, dict) else {}, recorded(runtime, task)
            )
        recorded_side, tool_side = differences(example.get("result"), outcome.value)
        calls = example.get("calls")
        before = [{"function": item.get("function"), "arguments": item.get("arguments")}
                  for item in (calls if isinstance(calls, list) else []) if isinstance(item, dict)]  # fmt: skip
        after = [{"function": item.function, "arguments": item.arguments} for item in outcome.calls]
        pairs = [differences(_at(before, place), _at(after, place)) for place in range(max(len(before), len(after)))]
        return {"kind": "replay", "outcome": outcome_values(outcome), "task": task, "arguments": arguments,
                "recorded": recorded_side, "done": tool_side, "calls": pairs}  # fmt: skip

    return _begin(visit, f"{tool.name} on {task}", f"/tools/{tool.name}/evidence?scope={tool.scope}", do)


def edit_form(visit: PageVisit) -> Response:
    """Show the source of the version in force, or of the one on trial, to be edited."""
    tool = found_tool(visit)
    canary = visit.site.canary(tool)
    from_trial = canary is not None and visit.asked("from") == "trial"
    version = visit.site.library.version(canary.version_id) if canary is not None and from_trial else tool.version
    earlier = visit.site.told.get(visit.asked("again"))
    text = earlier.result.get("source") if earlier is not None and earlier.result is not None else None
    return tool_page(visit, "tool_edit.html", tool, source=text or version.source, why=visit.asked("why"))


def edit(visit: PageVisit) -> Response:
    """Have an edit judged by every gate, in a thread."""
    tool, text = found_post(visit), visit.raw("source")
    source = text if text.endswith("\n") else f"{text}\n"
    by, why = _who(visit), visit.given("why")
    if not why:
        raise InputInvalid("an edit needs a reason; it is kept in the tool's history")
    if source == tool.version.source:
        raise InputInvalid(f"the source of {tool.name!r} is as it was; change something before it is judged")

    def do(_work: WebWork) -> Mapping[str, Any]:
        edited = edit_tool(visit.site.runtime(), tool.name, source, scope=tool.scope, by=by, why=why)
        return {
            "kind": "edit",
            "verdict": verdict_json(edited.verdict),
            "edited": edited,
            "source": source,
            "reason": why,
        }

    return _begin(visit, f"Edit of {tool.name}", f"/tools/{tool.name}?scope={tool.scope}", do, tool=tool)


def work(visit: PageVisit) -> Response:
    """Show work as far as it is."""
    found = visit.site.told.get(visit.part("id"))
    if found is None:
        raise NothingThere("this was done long ago, or by a server that has ended")
    gates = visit.site.told.gates_of(found.scope, found.tool) if found.tool else ()
    return visit.page("work.html", work=found, heard=gates, rules=RULES)


def outcome_values(outcome: Outcome) -> dict[str, Any]:
    """Return how a call ended, for a page."""
    error = outcome.error
    return {
        "ok": outcome.ok,
        "value": outcome.value,
        "kind": error.kind if error else "",
        "message": error.message if error else "",
        "calls": [(call.function, call.arguments, call.result, call.error) for call in outcome.calls],
        "milliseconds": outcome.usage.seconds * 1000,
        "note": outcome.note,
    }


def found_post(visit: PageVisit) -> Tool:
    """Return the tool that a form is about, as the runtime has it."""
    try:
        with visit.site.changing() as runtime:
            return runtime.library.tool(visit.part("name"), visit.given("scope") or None)
    except LibraryError as error:
        raise NothingThere(str(error)) from error


def _begin(visit: PageVisit, title: str, back: str, do: Any, *, tool: Tool | None = None) -> Response:
    begun = visit.site.told.begin(
        title, back, do, message_of, tool=tool.name if tool else "", scope=tool.scope if tool else ""
    )
    return visit.back_to(f"/begun/{begun.id}")


def _who(visit: PageVisit) -> str:
    return visit.given("by") or visit.session.who


def _at(calls: list[dict[str, Any]], place: int) -> Any:
    return calls[place] if place < len(calls) else {}


def _fields(parameters: JsonObject) -> list[dict[str, Any]]:
    properties, required = parameters.get("properties"), parameters.get("required")
    needed = required if isinstance(required, list) else []
    return [
        {"name": name, "schema": schema if isinstance(schema, dict) else {}, "required": name in needed}
        for name, schema in (properties if isinstance(properties, dict) else {}).items()
    ]
