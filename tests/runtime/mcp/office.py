"""An office with notes, tools over it, and a server to ask; everything runs in this process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent
from typing import Any, TypeVar

import anyio
from mcp import Client
from mcp.server.lowlevel import Server

from nucleate import Runtime, Settings
from nucleate.mcp import ServingBounds, open_server
from nucleate_sandbox import Effect, Environment, FunctionError, FunctionSpec, Json, JsonObject, Sandbox
from nucleate_tool_library import State, ToolVersion, read_signature
from tests.doubles import InProcessSandbox

T = TypeVar("T")
MODES = ("legacy", "auto")
TEXT: JsonObject = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
NOTHING: JsonObject = {"type": "object", "properties": {}}
SPECS = (
    FunctionSpec(name="notes.add", doc="Add a note.", parameters=TEXT, effect=Effect.WRITE),
    FunctionSpec(name="notes.list", doc="List the notes.", parameters=NOTHING, effect=Effect.READ),
    FunctionSpec(name="notes.drop", doc="Drop every note.", parameters=NOTHING, effect=Effect.DESTRUCTIVE),
)
COUNT = '''
    def count_notes() -> int:
        """Count the notes. It reads them all."""
        return len(env.notes.list())
'''
ADD_TWICE = '''
    def add_twice(text: str, loud: bool = False) -> list[str]:
        """Add a note two times and return all notes."""
        print("adding", text)
        for _ in range(2):
            env.notes.add(text=text.upper() if loud else text)
        return env.notes.list()
'''
CLEAR = '''
    def clear_notes() -> None:
        """Throw every note away."""
        env.notes.drop()
'''
REPEAT = '''
    def repeat_text(text: str, times: int) -> str:
        """Repeat a text."""
        return text * times
'''
FAIL = '''
    def fail_always() -> str:
        """Fail, whatever is asked."""
        raise ValueError("there is no way")
'''
LIE = '''
    def lie_about_type() -> int:
        """Promise a number and return a text."""
        return "no number"
'''
SOURCES = (COUNT, ADD_TWICE, CLEAR, REPEAT, FAIL, LIE)


class Office:
    """Notes in a list. The first function of a tool that must be observed is `notes.add`."""

    def __init__(self, name: str = "office") -> None:
        self.name = name
        self.notes: list[Json] = []

    @property
    def functions(self) -> Mapping[str, FunctionSpec]:
        return {spec.name: spec for spec in SPECS}

    def call(self, name: str, arguments: JsonObject) -> Json:
        if name == "notes.add":
            if arguments["text"] == "forbidden":
                raise FunctionError("this note may not be written", kind="NoteForbidden")
            self.notes.append(arguments["text"])
            return None
        if name == "notes.drop":
            self.notes.clear()
            return None
        return list(self.notes)

    def fork(self) -> Office:
        copy = Office(self.name)
        copy.notes = list(self.notes)
        return copy


def version(source: str, *, scope: str = "office", **more: Any) -> ToolVersion:
    """Return a tool's version, with the functions that its source names as its capabilities."""
    text = dedent(source).strip() + "\n"
    name = text.partition("(")[0].removeprefix("def ")
    named = tuple(spec.name for spec in SPECS if f"env.{spec.name}(" in text)
    return ToolVersion(
        name=name, scope=scope, source=text, signature=read_signature(text, name), capabilities=named, **more
    )


def stock(runtime: Runtime, *sources: str, scope: str = "office") -> None:
    """Put tools into the library, past every gate."""
    for source in sources or SOURCES:
        runtime.library.register(version(source, scope=scope), state=State.ACTIVE, approved_by="test")


@contextmanager
def opened(
    folder: Path, *sources: str, sandbox: Sandbox | None = None, environment: Environment | None = None
) -> Iterator[Runtime]:
    """Open a runtime whose library holds the tools."""
    settings = Settings(database=str(folder / "n.db"), worker="off")
    with Runtime(settings=settings, sandbox=sandbox or InProcessSandbox()) as runtime:
        stock(runtime, *sources)
        yield runtime


def ask(server: Server[None], work: Callable[[Client], Awaitable[T]], *, mode: str = "auto", **client: Any) -> T:
    """Connect a client in this process, and return what it found out."""

    async def session() -> T:
        async with Client(server, mode=mode, **client) as connected:
            return await work(connected)

    return anyio.run(session)


def in_office(
    folder: Path,
    work: Callable[[Client], Awaitable[T]],
    *sources: str,
    mode: str = "auto",
    serving: ServingBounds = ServingBounds(),  # noqa: B008
    office: Environment | None = None,
) -> T:
    """Do some work as a client of a server whose tools are these."""
    with opened(folder, *sources) as runtime, open_server(runtime, [office or Office()], serving=serving) as server:
        return ask(server, work, mode=mode)
