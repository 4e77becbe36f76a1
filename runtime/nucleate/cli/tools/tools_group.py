"""`nucleate tools`: the library from the command line."""

from __future__ import annotations

import typer

from nucleate.cli.tools import change as tools_change
from nucleate.cli.tools import exports
from nucleate.cli.tools import graph as tools_graph
from nucleate.cli.tools import look as tools_look
from nucleate.cli.tools import release as tools_release
from nucleate.cli.tools import trace as tools_trace
from nucleate.cli.tools import use as tools_use

app = typer.Typer(help="The tool library: look, test, call.", no_args_is_help=True)
tools_look.register(app)
app.command("graph")(tools_graph.graph)
app.command("trace")(tools_trace.trace)
app.command("test")(tools_use.judge)
app.command("call")(tools_use.call)
tools_change.register(app)
tools_release.register(app)
exports.register(app)
