"""`nucleate tools`: the library from the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import typer

from nucleate.cli.deferred import CommandPlace, DeferredGroup

COMMANDS: Mapping[str, CommandPlace] = {
    "list": CommandPlace("nucleate.cli.tools.look:list_tools", "List the tools with their state, release and uses."),
    "search": CommandPlace(
        "nucleate.cli.tools.look:search",
        "Find tools by what they do: by their signatures and docstrings, never by their bodies.",
    ),
    "show": CommandPlace(
        "nucleate.cli.tools.look:show",
        "Show a tool: source, signature, evidence, closure, capabilities, and the verdict with every gate.",
    ),
    "source": CommandPlace(
        "nucleate.cli.tools.look:source",
        "Print a tool's source, as it is stored: of the version in force, or of another one.",
    ),
    "diff": CommandPlace(
        "nucleate.cli.tools.look:diff", "Show how two versions of a tool differ; without versions, the latest two."
    ),
    "history": CommandPlace(
        "nucleate.cli.tools.look:history", "Show what was done to a tool, by whom and why, the oldest first."
    ),
    "refused": CommandPlace(
        "nucleate.cli.tools.look:refused", "List what was not admitted, with the findings that refused it."
    ),
    "graph": CommandPlace(
        "nucleate.cli.tools.graph:graph", "Show who calls what, down to environment functions; write it as DOT or SVG."
    ),
    "trace": CommandPlace(
        "nucleate.cli.tools.trace:trace",
        "Show where a tool came from: plan, queries, steps, gates, and its history since.",
    ),
    "test": CommandPlace("nucleate.cli.tools.use:judge", "Judge a tool again by all gates, on its stored evidence."),
    "call": CommandPlace("nucleate.cli.tools.use:call", "Call a tool in the sandbox and print its value as JSON."),
    "pin": CommandPlace(
        "nucleate.cli.tools.change:pin",
        "Keep a tool as it is: nothing replaces, relinks, renames, merges or archives it.",
    ),
    "rename": CommandPlace(
        "nucleate.cli.tools.change:rename",
        "Give a tool another name, also in the source of those that call it; the old name leads on.",
    ),
    "alias": CommandPlace("nucleate.cli.tools.change:alias", "Let one more name lead to a tool."),
    "merge": CommandPlace(
        "nucleate.cli.tools.change:merge",
        "Let one tool stand for two; without a name, list the pairs whose descriptions say nearly the same.",
    ),
    "split": CommandPlace(
        "nucleate.cli.tools.change:split",
        "Put several tools of the library in the place of one, which is deprecated while it is called.",
    ),
    "archive": CommandPlace(
        "nucleate.cli.tools.change:archive", "Take tools that nobody calls out of the lists; they can be revived."
    ),
    "revive": CommandPlace(
        "nucleate.cli.tools.change:revive",
        "Bring an archived tool back as a candidate, with everything that was known of it.",
    ),
    "export": CommandPlace(
        "nucleate.cli.tools.exports:export", "Write tools into a folder as files that a person can edit and review."
    ),
    "import": CommandPlace(
        "nucleate.cli.tools.exports:import_",
        "Take an edited export back in: what changed is judged by every gate, after what it calls.",
    ),
    "verify": CommandPlace(
        "nucleate.cli.tools.release:verify",
        "Judge tools again that are suspect, or whose environment functions changed.",
    ),
    "promote": CommandPlace(
        "nucleate.cli.tools.release:promote",
        "Put the version on trial, or a tool that is out of service, into service on a person's word.",
    ),
    "demote": CommandPlace(
        "nucleate.cli.tools.release:demote",
        "Withdraw the version on trial, or take a tool out of service, on a person's word.",
    ),
    "rollback": CommandPlace(
        "nucleate.cli.tools.release:rollback",
        "Put an earlier version in force again, as a new version: a forward step.",
    ),
    "health": CommandPlace(
        "nucleate.cli.tools.release:health",
        "Show how much the library is used, how far each tool can be relied on, and what is on trial or suspect.",
    ),
    "audit": CommandPlace(
        "nucleate.cli.tools.release:audit",
        "Hold the tools in use against all stored runs: which do judged runs contradict?",
    ),
}


class ToolCommands(DeferredGroup):
    """The commands of `nucleate tools`."""

    places: ClassVar[Mapping[str, CommandPlace]] = COMMANDS


app = typer.Typer(cls=ToolCommands, help="The tool library: look, test, call.", no_args_is_help=True)
