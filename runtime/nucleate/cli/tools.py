"""`nucleate tools`: the library from the command line."""

from __future__ import annotations

import typer

from nucleate.cli import exports, tools_change, tools_graph, tools_look, tools_release, tools_trace, tools_use

app = typer.Typer(help="The tool library: look, test, call.", no_args_is_help=True)
tools_look.register(app)
app.command("graph")(tools_graph.graph)
app.command("trace")(tools_trace.trace)
app.command("test")(tools_use.judge)
app.command("call")(tools_use.call)
tools_change.register(app)
tools_release.register(app)
exports.register(app)
