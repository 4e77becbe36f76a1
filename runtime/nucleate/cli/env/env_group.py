"""`nucleate env`: the environments that are known by name."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Annotated

import typer

from nucleate.cli.arguments import parse_values
from nucleate.cli.confirming import AtTerminal, Yes
from nucleate.cli.context import open_runtime
from nucleate.cli.env import env_options as options
from nucleate.cli.env import env_view as view
from nucleate.cli.memory.memory_options import AsJson
from nucleate.cli.memory.memory_view import print_json
from nucleate.cli.screen import Screen
from nucleate.environments.approving import Approving
from nucleate.environments.connections import FunctionsConnection, read_document
from nucleate.environments.function_changes import Drift, difference
from nucleate.environments.function_files import read_functions
from nucleate.errors import InputInvalid
from nucleate.executor.showing import call_text
from nucleate.runtime import Runtime
from nucleate.versions import manifest_of
from nucleate_sandbox import FunctionError, FunctionSpec
from nucleate_tool_library import State

Name = Annotated[str, typer.Argument(help="The environment's name.")]


def add(
    context: typer.Context,
    name: Name,
    object_: options.ObjectOption = None,
    mcp: options.McpOption = None,
    mcp_url: options.McpUrlOption = None,
    openapi: options.OpenApiOption = None,
    functions: options.FunctionsOption = None,
    base_url: options.BaseUrlOption = "",
    secret: options.SecretOption = None,
    header: options.HeaderOption = None,
    variable: options.VariableOption = None,
    effect: options.EffectOption = None,
    replace: Annotated[bool, typer.Option("--replace", help="Change how a known one is reached.")] = False,
    as_json: AsJson = False,
) -> None:
    """Connect to an environment, remember its functions and how it is reached; secrets stay references."""
    connection = options.Reached(
        target=object_,
        mcp=mcp,
        mcp_url=mcp_url,
        openapi=openapi,
        functions=functions,
        base_url=base_url,
        secrets=secret or (),
        headers=header or (),
        variables=variable or (),
        effects=effect or (),
    ).connection(name)
    with open_runtime(context) as runtime:
        if isinstance(connection, FunctionsConnection):
            described = read_functions(read_document(connection.file), environment=name)
            runtime.known.add(name, connection, replace=replace)
            runtime.scopes.remember(name, described.functions)
            unusable: Mapping[str, str] = {}
        else:
            environment = runtime.known.connect(name, connection)
            runtime.known.add(name, connection, replace=replace)
            runtime.scopes.attach(environment)
            unusable = getattr(environment, "unusable", {})
        _show(runtime, name, unusable, as_json=as_json)


def list_environments(context: typer.Context, as_json: AsJson = False) -> None:
    """List the environments that are known, by connection or from recordings alone."""
    with open_runtime(context, looks=True) as runtime:
        every = runtime.known.all()
        names = sorted({*every, *runtime.scopes.names()})
        lines = [view.known_json(name, every.get(name), _functions(runtime, name)) for name in names]
    if as_json:
        print_json(lines)
    else:
        Screen().print(view.known_table(lines))


def describe(
    context: typer.Context,
    name: Name,
    function: Annotated[str | None, typer.Argument(help="One function, with or without its namespace.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show an environment's functions as they were last seen, or one of them with its schemas."""
    with open_runtime(context, must_exist=True) as runtime:
        functions = runtime.scopes.view(name).functions
    if function is None:
        if as_json:
            print_json([view.spec_json(spec) for spec in functions.values()])
        else:
            Screen().print(view.functions_table(name, functions))
        return
    spec = _function(name, functions, function)
    if as_json:
        print_json(view.spec_json(spec))
    else:
        view.print_function(Screen(), spec)


def call(
    context: typer.Context,
    name: Name,
    function: Annotated[str, typer.Argument(help="The function, with or without its namespace.")],
    arguments: Annotated[list[str] | None, typer.Argument(help="name=value pairs; a value is JSON or text.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before a destructive call.")] = False,
    as_json: AsJson = False,  # noqa: ARG001 - what a function answers is JSON in any case
) -> None:
    """Call one function and print its result as JSON. Exit code 1 if it ends with an error."""
    approve = Yes() if yes else AtTerminal()
    with open_runtime(context, must_exist=True) as runtime:
        environment = runtime.known.open(name)
        runtime.scopes.attach(environment)
        spec = _function(name, environment.functions, function)
        values = parse_values(arguments or [], spec.parameters, name=spec.name, shown=f"it is {call_text(spec)}")
        allowed = runtime.settings.destructive_allowed
        asking = Approving(environment, approve, by=approve.by, allowed=allowed, record=runtime.approvals.add)
        try:
            print_json(asking.call(spec.name, values))
        except FunctionError as error:
            Screen(stderr=True).print(f"{error.kind}: {error.message}", markup=False, highlight=False)
            sys.exit(1)


def drift(
    context: typer.Context,
    name: Name,
    accept: Annotated[
        bool, typer.Option("--accept", help="Remember what there is now; tools that it breaks become suspect.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Compare an environment's functions with those last seen. Exit code 1 if something changed."""
    with open_runtime(context, must_exist=True) as runtime:
        before = runtime.scopes.view(name).functions
        environment = runtime.known.open(name)
        found = difference(name, before, environment.functions)
        callers = _callers(runtime, found)
        if accept and found:
            runtime.attach(environment)
    if as_json:
        print_json(view.drift_json(found, callers))
    elif found:
        Screen().print(view.drift_table(found, callers))
    else:
        Screen().print(f"{name}: {len(before)} functions, as they were last seen")
    sys.exit(int(bool(found) and not accept))


def remove(context: typer.Context, name: Name, as_json: AsJson = False) -> None:
    """Forget how an environment is reached. What was learned in it stays, and so do its tools."""
    with open_runtime(context, must_exist=True) as runtime:
        runtime.known.remove(name)
    if as_json:
        print_json({"removed": name})
    else:
        Screen().print(f"{name} is no longer reached by name; its functions, memory and tools are still known")


def approvals(context: typer.Context, as_json: AsJson = False) -> None:
    """List the destructive calls that were asked for: what was said, and who said it."""
    with open_runtime(context, looks=True) as runtime:
        every = runtime.approvals.all()
    if as_json:
        print_json(every)
    else:
        Screen().print(view.approvals_table(every))


def _show(runtime: Runtime, name: str, unusable: Mapping[str, str], *, as_json: bool) -> None:
    functions = _functions(runtime, name)
    if as_json:
        line = view.known_json(name, runtime.known.get(name), functions)
        print_json({**line, "unusable": dict(unusable)})
        return
    console = Screen()
    if len(functions) <= view.MAX_LISTED:
        console.print(view.functions_table(name, functions))
    console.print(view.summary_text(name, functions, unusable), markup=False, highlight=False)
    for function, reason in [*unusable.items()][: view.MAX_LISTED]:
        console.print(f"left out: {function}: {reason}", markup=False, highlight=False, style="yellow")
    console.print(f"next: nucleate env call {name} FUNCTION name=value", highlight=False)


def _functions(runtime: Runtime, name: str) -> Mapping[str, FunctionSpec]:
    return runtime.scopes.view(name).functions if runtime.scopes.knows(name) else {}


def _function(name: str, functions: Mapping[str, FunctionSpec], wanted: str) -> FunctionSpec:
    """Return the function of this name, with or without its namespace."""
    if wanted in functions:
        return functions[wanted]
    found = [spec for full, spec in functions.items() if full.rpartition(".")[2] == wanted]
    if len(found) == 1:
        return found[0]
    which = "is in several namespaces; write it whole" if found else "is no function of it"
    raise InputInvalid(f"{wanted!r} {which}; nucleate env describe {name} lists all")


def _callers(runtime: Runtime, found: Drift) -> dict[str, list[str]]:
    """Return for each function that is gone or another the tools that reach it, themselves or through others."""
    states = [state for state in State if state is not State.ARCHIVED]  # what is archived is called by nobody
    tools = runtime.library.tools(scope=found.environment, states=states) if found.touched else ()
    reached = {tool.name: manifest_of(runtime.library.close([tool.version.id])) for tool in tools}
    return {function: [name for name, names in reached.items() if function in names] for function in found.touched}
