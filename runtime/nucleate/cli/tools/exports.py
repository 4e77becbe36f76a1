"""`nucleate tools export` and `import`: the library as files, and edits of them back in."""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from nucleate.cli.admit import admit_view
from nucleate.cli.context import open_runtime
from nucleate.cli.screen import Screen
from nucleate.cli.tools.tools_options import AsJson, By, Scope, person, print_json
from nucleate.exporting import ExportReport, FileForm, export_tools
from nucleate.exports.package_files import Package
from nucleate.importing import ImportedTool, ImportOutcome, ImportReport, import_tools
from nucleate_codifier import verdict_json
from nucleate_codifier.repository import JudgedTool
from nucleate_sandbox import Json, JsonObject

MARKS = {
    ImportOutcome.REFUSED: ("✗", "red"),
    ImportOutcome.CONFLICT: ("✗", "red"),
    ImportOutcome.UNJUDGED: ("?", "yellow"),
    ImportOutcome.BEHIND: ("–", "yellow"),
    ImportOutcome.MISSING: ("–", "yellow"),
    ImportOutcome.UNCHANGED: ("=", "dim"),
}
To = Annotated[Path, typer.Option(help="The folder to write into.", show_default=False)]
Names = Annotated[list[str] | None, typer.Argument(help="Tools, with all that they call; every tool, if none.")]
Folder = Annotated[Path, typer.Argument(help="An exported folder, or a part of one.", show_default=False)]
Now = Annotated[bool, typer.Option("--now", help="Put edits of active tools in force at once, without a trial.")]


def export(
    context: typer.Context,
    to: To,
    names: Names = None,
    form: Annotated[FileForm, typer.Option("--format", help="What the folder is for.")] = "library",
    scope: Scope = None,
    package: Annotated[str | None, typer.Option(help="The package's name; the environment's, if not given.")] = None,
    package_version: Annotated[str, typer.Option(help="The package's version.")] = "0.1.0",
    as_json: AsJson = False,
) -> None:
    """Write tools into a folder as files that a person can edit and review.

    Files that are no export of ours, or were edited since, are never overwritten.
    """
    with open_runtime(context, must_exist=True) as runtime:
        named = Package(name=package, version=package_version) if package is not None else None
        report = export_tools(runtime, to, names=names or (), scope=scope, form=form, package=named)
    if as_json:
        print_json(_export_json(report))
    else:
        Screen().print(_export_view(report), highlight=False, soft_wrap=True)


def import_(context: typer.Context, folder: Folder, by: By = None, now: Now = False, as_json: AsJson = False) -> None:
    """Take an edited export back in: what changed is judged by every gate, after what it calls.

    Exit code 1 if something is refused, 2 if something could not be judged.
    """
    with open_runtime(context, must_exist=False) as runtime:
        report = import_tools(runtime, folder, by=person(by), now=now)
    if as_json:
        print_json(_import_json(report))
    else:
        Screen(width=_width()).print(_import_view(report), highlight=False)
    if report.exit_code:
        sys.exit(report.exit_code)


def _width() -> int | None:
    return None if sys.stdout.isatty() or "COLUMNS" in os.environ else admit_view.WIDTH


def _export_view(report: ExportReport) -> RenderableType:
    files = report.files
    counts = {"written": files.written, "as they were": files.unchanged, "taken away": files.removed}
    told = ", ".join(f"{len(paths)} {word}" for word, paths in counts.items() if paths)
    lines = [Text(f"{len(report.tools)} tools in {str(report.folder)!r}; files: {told}", style="bold")]
    lines += [Text(f"kept, since it was edited: {path}", style="yellow") for path in files.kept]
    lines += [Text(f"left out: {name}: {why}", style="yellow") for name, why in sorted(report.left_out.items())]
    return Group(*lines)


def _export_json(report: ExportReport) -> JsonObject:
    files = report.files
    return {
        "folder": str(report.folder),
        "format": report.form,
        "tools": list[Json](report.tools),
        "written": list[Json](files.written),
        "unchanged": list[Json](files.unchanged),
        "removed": list[Json](files.removed),
        "kept": list[Json](files.kept),
        "left_out": dict[str, Json](sorted(report.left_out.items())),
    }


def _import_view(report: ImportReport) -> RenderableType:
    parts: list[RenderableType] = [part for item in report.tools for part in _imported_view(item)]
    counts = {change: sum(item.change is change for item in report.tools) for change in ImportOutcome}
    told = ", ".join(f"{count} {change.value}" for change, count in counts.items() if count)
    return Group(*parts, Text(f"{len(report.tools)} tools: {told}", style="bold"))


def _imported_view(item: ImportedTool) -> list[RenderableType]:
    mark, style = MARKS.get(item.change, ("✓", "green"))
    release = f" {item.release}" if item.release else ""
    line = Text(f"{mark} {item.change.value:<10} ", style=style) + Text(f"{item.name}{release}")
    shown: list[RenderableType] = [line + Text(f"  {item.why}", style="dim") if item.why else line]
    if item.verdict is not None and item.file is not None and item.verdict.findings:
        judged = JudgedTool(tool=item.file, verdict=item.verdict)
        shown += admit_view.findings_view(judged)
    return shown


def _import_json(report: ImportReport) -> JsonObject:
    return {
        "nucleate": version("nucleate"),
        "exit_code": report.exit_code,
        "tools": [_imported_json(item) for item in report.tools],
    }


def _imported_json(item: ImportedTool) -> JsonObject:
    verdict = (
        {key: value for key, value in verdict_json(item.verdict).items() if key != "times"} if item.verdict else None
    )
    return {
        "name": item.name,
        "scope": item.scope,
        "change": item.change.value,
        "why": item.why,
        "release": item.release,
        "verdict": verdict,
    }
