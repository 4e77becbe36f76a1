"""`nucleate tools graph`: who calls what, as a tree, as DOT, as a picture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from nucleate.cli.screen import Screen
from nucleate.cli.stores import open_library_reader
from nucleate.cli.tools import graph_svg, graph_view
from nucleate.cli.tools.tools_options import AsJson, Scope, print_json
from nucleate.errors import InputInvalid


def graph(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="One tool; all, if not given.")] = None,
    callers: Annotated[bool, typer.Option("--callers", help="Who leads to it, not what it leads to.")] = False,
    dot: Annotated[str | None, typer.Option(help="Write DOT to this file; - is the screen.")] = None,
    svg: Annotated[str | None, typer.Option(help="Write a picture to this file; - is the screen.")] = None,
    scope: Scope = None,
    as_json: AsJson = False,
) -> None:
    """Show who calls what, down to environment functions; write it as DOT or SVG."""
    if callers and name is None:
        raise InputInvalid("--callers asks who leads to a tool; name it")
    with open_library_reader(context) as library:
        found = library.graph(name, scope, callers=callers)
    written = [(dot, graph_view.dot), (svg, graph_svg.svg)]
    for target, text_of in written:
        if target is not None:
            _write(target, text_of(found))
    if as_json:
        print_json(graph_view.as_json(found))
    elif dot is None and svg is None:
        Screen().print(graph_view.tree(found, callers=callers))


def _write(target: str, text: str) -> None:
    if target == "-":
        sys.stdout.write(text)
        return
    try:
        Path(target).write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputInvalid(f"{target!r} cannot be written ({error.strerror}); name a file in a folder") from error
    Screen(stderr=True).print(f"wrote {target}", highlight=False, markup=False)
