"""Changes of a tool: the command line's verbs, each looked at with its dependents before it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

from starlette.responses import Response

from nucleate.runtime import Runtime
from nucleate.web.known_errors import message_of
from nucleate.web.pages.judging_pages import found_post
from nucleate.web.pages.tool_pages import found_tool, tool_page
from nucleate.web.telling import WebWork
from nucleate.web.visit import NothingThere, PageVisit
from nucleate_codifier import verdict_json
from nucleate_tool_library import Change, Tool, ToolLibrary

Make = Callable[[ToolLibrary, PageVisit, str, str], Change]
Say = Callable[[Runtime, PageVisit, str, str], Tool]


@dataclass(frozen=True, kw_only=True)
class ToolVerb:
    """One verb: what it is for, the fields that it asks for, how it is done, and what takes it back.

    A `make` is shown before it is made; a `say` is a person's word, which has nothing to preview.
    """

    title: str
    help: str
    fields: tuple[tuple[str, str], ...] = ()
    make: Make | None = None
    say: Say | None = None
    undo: str = ""
    long: str = ""


def _by(visit: PageVisit) -> tuple[str, str]:
    return visit.given("by") or visit.session.who, visit.given("why")


def _split(library: ToolLibrary, visit: PageVisit, name: str, scope: str) -> Change:
    by, why = _by(visit)
    versions = [library.tool(part, scope).version for part in visit.given("into").split()]
    return library.split(name, scope, into=versions, lead_to=visit.given("lead_to") or None, by=by, why=why)


def _made(verb: str, *fields: str) -> Make:
    """Return how a verb of the library is done with the fields of the form."""

    def make(library: ToolLibrary, visit: PageVisit, name: str, scope: str) -> Change:
        by, why = _by(visit)
        more = {field: visit.given(field) for field in fields}
        done: Change = getattr(library, verb)(name, scope, **more, by=by, why=why)
        return done

    return make


def _alias(library: ToolLibrary, visit: PageVisit, name: str, scope: str) -> Change:
    by, why = _by(visit)
    return library.alias(visit.given("alias"), scope, to=name, by=by, why=why)


def _unalias(library: ToolLibrary, visit: PageVisit, _name: str, scope: str) -> Change:
    by, why = _by(visit)
    return library.unalias(visit.given("alias"), scope, by=by, why=why)


def _promote(runtime: Runtime, visit: PageVisit, name: str, scope: str) -> Tool:
    by, why = _by(visit)
    return runtime.releases.promote(name, scope=scope, by=by, why=why)


def _demote(runtime: Runtime, visit: PageVisit, name: str, scope: str) -> Tool:
    by, why = _by(visit)
    return runtime.releases.demote(name, scope=scope, by=by, why=why)


VERBS: Mapping[str, ToolVerb] = {
    "promote": ToolVerb(
        title="Promote",
        help="Put the version on trial, or a tool out of service, into service.",
        say=_promote,
        undo="demote",
    ),
    "demote": ToolVerb(
        title="Demote",
        help="Withdraw the version on trial, or take the tool out of service.",
        say=_demote,
        undo="promote",
    ),
    "rollback": ToolVerb(
        title="Roll back",
        help="Put an earlier version in force again, as a new version: a forward step.",
        fields=(("to", "The version: its number, its release or how its id begins"),),
        make=_made("rollback", "to"),
        undo="rollback",
    ),
    "pin": ToolVerb(
        title="Pin",
        help="Keep the tool as it is: nothing replaces, relinks, renames, merges or archives it.",
        make=_made("pin"),
        undo="unpin",
    ),
    "unpin": ToolVerb(title="Unpin", help="Let a pinned tool change again.", make=_made("unpin"), undo="pin"),
    "rename": ToolVerb(
        title="Rename",
        help="Give the tool another name, also where it is called; the old name leads on.",
        fields=(("to", "The new name"),),
        make=_made("rename", "to"),
        undo="rename",
    ),
    "alias": ToolVerb(
        title="Add an alias",
        help="Let one more name lead to the tool.",
        fields=(("alias", "The other name"),),
        make=_alias,
        undo="unalias",
    ),
    "unalias": ToolVerb(
        title="Take an alias away",
        help="Free a name that leads to the tool.",
        fields=(("alias", "The other name"),),
        make=_unalias,
        undo="alias",
    ),
    "merge": ToolVerb(
        title="Merge",
        help="Let another tool stand for this one; who called this one calls the other.",
        fields=(("into", "The tool that stands for both"),),
        make=_made("merge", "into"),
    ),
    "split": ToolVerb(
        title="Split",
        help="Put several tools of the library in its place.",
        fields=(
            ("into", "The tools, with blanks between them"),
            ("lead_to", "The one that the old name leads to, or nothing"),
        ),
        make=_split,
    ),
    "archive": ToolVerb(
        title="Archive", help="Take the tool out of the lists; it can be revived.", make=_made("archive"), undo="revive"
    ),
    "revive": ToolVerb(
        title="Revive",
        help="Bring the tool back as a candidate, with everything that was known of it.",
        make=_made("revive"),
        undo="archive",
    ),
    "test": ToolVerb(
        title="Judge again", help="Judge the tool again by all gates, on its stored evidence.", long="test"
    ),
    "verify": ToolVerb(
        title="Verify", help="Judge a suspect tool again; it returns, is rebuilt, or is archived.", long="verify"
    ),
}


def form(visit: PageVisit) -> Response:
    """Show the form of one verb."""
    verb, tool = _verb(visit), found_tool(visit)
    values = {name: visit.asked(name) for name, _label in verb.fields}
    return _form(visit, tool, verb, values=values, why=visit.asked("why"))


def do(visit: PageVisit) -> Response:
    """Show what a change would do; make it when that was seen."""
    verb, tool = _verb(visit), found_post(visit)
    by, why = _by(visit)
    if verb.long:
        return _begin(visit, tool, verb)
    values = {name: visit.given(name) for name, _label in verb.fields}
    if not why:
        return _form(
            visit, tool, verb, values=values, error="Give a reason: it is kept in the tool's history.", code=422
        )
    planned, done = _carried_out(visit, verb, tool)
    if planned is not None:
        return _form(visit, tool, verb, values=values, why=why, by=by, planned=planned)
    said = f"{verb.title}: {done.name} is {done.state} at {done.release}"
    return visit.back_to(_place(done), said, undo=_undo(visit, verb, tool, done))


def _carried_out(visit: PageVisit, verb: ToolVerb, tool: Tool) -> tuple[Change | None, Tool]:
    """Return what would be done, or nothing and the tool as it is after it was done."""
    with visit.site.changing() as runtime:
        if verb.say is not None:
            return None, verb.say(runtime, visit, tool.name, tool.scope)
        make = cast("Make", verb.make)
        if visit.given("step") != "make":
            return make(runtime.library.preview(), visit, tool.name, tool.scope), tool
        return None, make(runtime.library, visit, tool.name, tool.scope).tool


def _form(visit: PageVisit, tool: Tool, verb: ToolVerb, *, code: int = 200, **values: Any) -> Response:
    said = {"why": "", "by": visit.session.who, "planned": None, "error": "", **values}
    return tool_page(visit, "tool_do.html", tool, verb=verb, key=visit.part("verb"), code=code, **said)


def _begin(visit: PageVisit, tool: Tool, verb: ToolVerb) -> Response:
    def work(_work: WebWork) -> Mapping[str, Any]:
        runtime = visit.site.runtime()
        if verb.long == "test":
            return {"kind": "test", "verdict": verdict_json(runtime.test(tool.name, scope=tool.scope))}
        if tool.scope == "shop" or tool.scope in runtime.known.all():
            runtime.attach(visit.site.environment(tool.scope))
        return {"kind": "verify", "verified": list(runtime.releases.verify([tool.name], scope=tool.scope))}

    title = f"{verb.title}: {tool.name}"
    begun = visit.site.told.begin(title, _place(tool), work, message_of, tool=tool.name, scope=tool.scope)
    return visit.back_to(f"/begun/{begun.id}")


def _undo(visit: PageVisit, verb: ToolVerb, before: Tool, after: Tool) -> str:
    """Return the form that takes a change back, filled in; nothing where nothing does."""
    if not verb.undo:
        return ""
    back = {"rename": {"to": before.name}, "rollback": {"to": before.version.id[:12]}}.get(verb.undo, {})
    back |= {"alias": visit.given("alias")} if visit.given("alias") else {}
    query = urlencode({"scope": after.scope, "why": f"takes back: {visit.given('why')}", **back})
    return f"/tools/{after.name}/do/{verb.undo}?{query}"


def _place(tool: Tool) -> str:
    return f"/tools/{tool.name}?{urlencode({'scope': tool.scope})}"


def _verb(visit: PageVisit) -> ToolVerb:
    found = VERBS.get(visit.part("verb"))
    if found is None:
        raise NothingThere(f"there is no verb {visit.part('verb')!r}")
    return found
