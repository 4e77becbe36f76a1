"""One database as the page has it: read through connections that change nothing, changed by the runtime's own verbs."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar, cast

from sqlalchemy import Engine, func, select, text
from sqlalchemy.exc import SQLAlchemyError

from nucleate import events
from nucleate.calling_places import environment_for
from nucleate.database import Database, changing, looking
from nucleate.environments.scopes import Scopes
from nucleate.errors import DatabaseUnusable
from nucleate.jobs.queue import Jobs
from nucleate.runtime import Runtime
from nucleate.settings.settings import Settings
from nucleate.tables import EnvironmentRow
from nucleate.web.reads import entry_rows, tool_rows
from nucleate.web.reads.text_index import EntryTitles, ToolNames
from nucleate.web.telling import Works
from nucleate_sandbox import Environment, FunctionSpec, JsonObject
from nucleate_text_memory import LocalEmbedder, TextMemory
from nucleate_tool_library import Tool, ToolLibrary
from nucleate_tool_library.trials.canaries import Canaries, Canary

T = TypeVar("T")
PATIENCE_MILLISECONDS = 2_000
_ASKED_AGAIN = 3.0  # seconds for which an answer to "can it be changed?" holds
_BUSY = "somebody else has the database for writing just now"


@dataclass(frozen=True, kw_only=True)
class SiteStanding:
    """Whether the database can be changed; `why` not, where it cannot."""

    why: str = ""


class PageApproval:
    """Answers for the person in front of the page: yes to destructive calls only while that person's yes holds."""

    by = "the page"

    def __init__(self) -> None:
        self._yes = False

    @contextmanager
    def yes(self, who: str, *, given: bool) -> Iterator[None]:
        """Hold the answer of a person for the block."""
        self._yes, self.by = given, f"{who} on the page"
        try:
            yield
        finally:
            self._yes = False

    def __call__(self, _spec: FunctionSpec, _arguments: JsonObject) -> bool:
        return self._yes


class Site:
    """What every page of one server shares. `works` queued jobs only where it is told to."""

    def __init__(self, settings: Settings, *, works: bool = False) -> None:
        self.settings = settings.model_copy(update={"worker": "thread" if works else "off", "on_outage": "raise"})
        self.works = works
        self.told = Works()
        self.asked = PageApproval()
        self.calling = threading.Lock()
        self._database = Database(settings.database)
        self.engine: Engine = self._database.engine
        self._unusable = self._open()
        self.library, self.memory = ToolLibrary(self.engine), TextMemory(self.engine, embedder=LocalEmbedder())
        self.jobs, self.canaries = Jobs(self.engine), Canaries(self.engine)
        self._made: dict[str, tuple[object, object]] = {}
        self.tool_names, self.entry_titles = ToolNames(self.engine), EntryTitles(self.engine)
        self._probed: tuple[float, str] = (0.0, "")
        self._runtime: Runtime | None = None
        self._making = threading.Lock()

    def _open(self) -> str:
        """Open for reading, and return what is wrong with the schema: what can be read of it is shown all the same."""
        try:
            with looking():
                self._database.open()
        except DatabaseUnusable as error:
            return str(error)
        return ""

    def standing(self) -> SiteStanding:
        """Return whether the database can be changed now."""
        if self._unusable:
            return SiteStanding(why=self._unusable)
        asked, why = self._probed
        if time.monotonic() - asked > _ASKED_AGAIN or why:
            why = _obstacle(self._database)
            self._probed = (time.monotonic(), why)
        return SiteStanding(why=why)

    def runtime(self) -> Runtime:
        """Return the runtime that makes changes, opened when it is first needed."""
        with self._making:
            if self._runtime is None:
                self._runtime = Runtime(settings=self.settings, approve=self.asked, listen=self.told.hear)
            return self._runtime

    @contextmanager
    def changing(self) -> Iterator[Runtime]:
        """Have the runtime for a change that waits for other writers only so long."""
        with changing(PATIENCE_MILLISECONDS):
            yield self.runtime()

    def effects(self) -> Mapping[str, Mapping[str, str]]:
        """Return the effect of every known function, by environment; read again where one was seen anew."""
        with self.engine.begin() as connection:
            stamp = tuple(connection.execute(select(func.count(), func.max(EnvironmentRow.updated_at))).one())
        return self.kept("effects", stamp, self._effects)

    def statuses(self) -> dict[str, int]:
        """Return how many entries are in each status."""
        return self.kept("statuses", entry_rows.newest(self.engine), lambda: entry_rows.statuses(self.engine))

    def states(self) -> dict[str, int]:
        """Return how many tools are in each state."""
        return self.kept("states", self.library.revision(), lambda: tool_rows.states(self.engine))

    def scopes(self) -> list[str]:
        """Return the scopes that entries and environments have; read again after a while."""
        return self.kept("scopes", time.monotonic() // _ASKED_AGAIN, self._scopes)

    def environment(self, name: str) -> Environment:
        """Open an environment that runs here: one that was added by name, or the shop of the demo."""
        return environment_for(self.runtime(), name, target=None, task=None)

    def kept(self, name: str, stamp: object, make: Callable[[], T]) -> T:
        """Return what was made of the database, and make it again where the stamp is another."""
        found = self._made.get(name)
        if found is None or found[0] != stamp:
            found = (stamp, make())
            self._made[name] = found
        return cast("T", found[1])

    def canary(self, tool: Tool) -> Canary | None:
        """Return what stands on trial beside a tool's version in force."""
        standing = self.canaries.standing(tool.name, tool.scope)
        return self.canaries.of(tool.name, tool.scope) if standing is not None and standing.canary else None

    def _scopes(self) -> list[str]:
        return sorted({*entry_rows.scopes(self.engine), *Scopes(self.engine).names()})

    def _effects(self) -> Mapping[str, Mapping[str, str]]:
        scopes = Scopes(self.engine)
        return {
            name: {function: spec.effect.value for function, spec in scopes.functions(name).items()}
            for name in scopes.names()
        }

    def warm(self) -> None:
        """Read what searches look through, before anybody asks."""
        with looking():
            self.tool_names.search("")
            self.entry_titles.search("")

    def listen(self, event: events.Event) -> None:
        """Hear of what a runtime of this process does."""
        self.told.hear(event)

    def close(self) -> None:
        """End what was opened."""
        if self._runtime is not None:
            self._runtime.close(wait=False)
        self.engine.dispose()


def _obstacle(database: Database) -> str:
    """Return why nothing can be written now; nothing where it can. The right to write is given back at once."""
    if database.file is None:
        return _server_obstacle(database.engine)
    try:
        connection = sqlite3.connect(f"file:{database.file}?mode=rw", uri=True, timeout=0.05, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
        finally:
            connection.close()
    except sqlite3.OperationalError as error:
        said = str(error)
        return f"{_BUSY}; try again" if "locked" in said else f"the database cannot be written to ({said})"
    return ""


def _server_obstacle(engine: Engine) -> str:
    if engine.dialect.name != "postgresql":
        return "the database was opened for reading alone" if "mode=ro" in str(engine.url) else ""
    try:
        with engine.connect() as connection:
            only = connection.execute(text("SHOW transaction_read_only")).scalar()
    except SQLAlchemyError as error:
        return f"the database does not answer ({error})"
    return "the database server is read-only" if only == "on" else ""
