"""Changes of an entry: correct, merge, invalidate, restore, forget, and what to do with one in quarantine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from starlette.responses import Response

from nucleate.errors import InputInvalid
from nucleate.web.pages.entry_pages import found_entry
from nucleate.web.reads import tool_rows
from nucleate.web.visit import NothingThere, PageVisit
from nucleate_text_memory import Draft, Entry, TextMemory, content_from, drafted

Do = Callable[[TextMemory, PageVisit, Entry, str, str], str]


@dataclass(frozen=True, kw_only=True)
class EntryVerb:
    """One verb: what it is for, how it is done, and what takes it back. `edits` asks for the entry's words."""

    title: str
    help: str
    do: Do
    undo: str = ""
    edits: bool = False
    merges: bool = False
    final: bool = False


def _draft(visit: PageVisit, old: Entry) -> Draft:
    """Return the draft that the form's fields make, with the times of the entry that it replaces."""
    source = f"user:{visit.given('by') or visit.session.who}"
    if old.content is None:
        title, body = visit.given("field.title"), visit.raw("field.body").strip()
        if not title or not body:
            raise InputInvalid("an entry needs a title and a body")
        return Draft(
            kind=old.kind,
            scope=old.scope,
            title=title,
            body=body,
            source=source,
            signature=old.signature,
            valid_from=old.valid_from,
            valid_to=old.valid_to,
        )
    names = old.content.__dataclass_fields__
    values: dict[str, object] = {name: visit.raw(f"field.{name}") for name in names}
    if "steps" in values:
        values["steps"] = [line.strip() for line in str(values["steps"]).splitlines() if line.strip()]
    try:
        content = content_from(old.kind.value, values)
    except ValueError as error:
        raise InputInvalid(str(error)) from error
    told = drafted(content, scope=old.scope, source=source)
    signature = old.signature if old.kind.value == "plan" else told.signature
    return replace(told, signature=signature, valid_from=old.valid_from, valid_to=old.valid_to)


def _revise(memory: TextMemory, visit: PageVisit, old: Entry, by: str, why: str) -> str:
    return memory.revise(old.id, _draft(visit, old), by=by, why=why).id


def _merge(memory: TextMemory, visit: PageVisit, old: Entry, by: str, why: str) -> str:
    others = [memory.entry(id_) for id_ in visit.given("others").split()]
    if not others:
        raise InputInvalid("name the other entries, with blanks between their ids")
    return memory.merge([old.id, *(other.id for other in others)], _draft(visit, old), by=by, why=why).id


def _forget(memory: TextMemory, _visit: PageVisit, old: Entry, by: str, why: str) -> str:
    memory.forget(old.id, why=why, by=by)
    return old.id


VERBS: Mapping[str, EntryVerb] = {
    "revise": EntryVerb(
        title="Correct",
        help="Put a corrected entry in its place; this one stays readable.",
        do=_revise,
        undo="invalidate",
        edits=True,
    ),
    "merge": EntryVerb(
        title="Merge",
        help="Put one entry in the place of several; it keeps their evidence.",
        do=_merge,
        edits=True,
        merges=True,
    ),
    "invalidate": EntryVerb(
        title="Invalidate",
        help="Let it guide nobody any more; it stays readable, with the reason.",
        do=lambda memory, _visit, old, by, why: memory.invalidate(old.id, why=why, by=by).id,
        undo="restore",
    ),
    "restore": EntryVerb(
        title="Restore",
        help="Bring back what was invalidated or superseded.",
        do=lambda memory, _visit, old, by, why: memory.restore(old.id, why=why, by=by).id,
        undo="invalidate",
    ),
    "release": EntryVerb(
        title="Release",
        help="Let it guide: you vouch for it.",
        do=lambda memory, _visit, old, by, why: memory.release(old.id, by=by, why=why).id,
        undo="invalidate",
    ),
    "reject": EntryVerb(
        title="Reject",
        help="Refuse it for good.",
        do=lambda memory, _visit, old, by, why: memory.reject(old.id, by=by, why=why).id,
        final=True,
    ),
    "forget": EntryVerb(
        title="Forget",
        help="Delete what it and its other versions say, for good; a stub stays for the audit.",
        do=_forget,
        final=True,
    ),
}


def form(visit: PageVisit) -> Response:
    """Show the form of one verb, with the tools that rest on the entry."""
    return _form(visit, _verb(visit), found_entry(visit), why=visit.asked("why"))


def do(visit: PageVisit) -> Response:
    """Make a change that was seen before."""
    verb, id_ = _verb(visit), visit.part("id")
    by, why = visit.given("by") or visit.session.who, visit.given("why")
    if not why:
        error = "Give a reason: it is kept in the entry's history."
        return _form(visit, verb, found_entry(visit), error=error, code=422)
    with visit.site.changing() as runtime:
        old = runtime.memory.entry(id_)
        now = verb.do(runtime.memory, visit, old, by, why)
        runtime.releases.look()  # tools that rest on what is no longer so are suspect from now on
    undo = f"/memory/{now}/do/{verb.undo}" if verb.undo else ""
    return visit.back_to(f"/memory/{now}", f"{verb.title}: done", undo=undo)


def _form(visit: PageVisit, verb: EntryVerb, entry: Entry, *, code: int = 200, **values: Any) -> Response:
    content: dict[str, Any] = {"title": entry.title, "body": entry.body}
    if entry.content is not None:
        content = {name: getattr(entry.content, name) for name in entry.content.__dataclass_fields__}
    fields = [(name, "\n".join(value) if isinstance(value, tuple) else value) for name, value in content.items()]
    said = {"why": "", "error": "", **values}
    tools = tool_rows.resting_on(visit.site.engine, entry.id, entry.implements)
    return visit.page(
        "entry_do.html",
        code=code,
        verb=verb,
        key=visit.part("verb"),
        entry=entry,
        fields=fields,
        tools=tools,
        **said,
    )


def _verb(visit: PageVisit) -> EntryVerb:
    found = VERBS.get(visit.part("verb"))
    if found is None:
        raise NothingThere(f"there is no verb {visit.part('verb')!r}")
    return found
