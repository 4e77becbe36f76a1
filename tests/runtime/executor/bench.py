"""What the tests of runs share: a help desk, a runtime that learns nothing, sandboxes that fail on command, time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

from nucleate import Runtime, Settings
from nucleate.environments.scopes import as_environment
from nucleate.executor import Budgets, Executor, RunEvent, RunResult, RunTask
from nucleate.executor.clock import Clock
from nucleate.manager import NOTHING, Choice
from nucleate_codifier.chat import Message, ModelError, Reply, ScriptedModel
from nucleate_sandbox import (
    NONE,
    Environment,
    Functions,
    JsonObject,
    Limits,
    Lock,
    Module,
    Outcome,
    Sandbox,
    SandboxError,
    Session,
    TestReport,
)
from nucleate_tool_library import State, ToolVersion, read_signature
from tests.integration.desk import Desk

TICKET = '''\
def ticket(email: str, text: str) -> dict[str, str]:
    """Open a ticket for a customer and tell them."""
    customer = env.desk.find_customer(email=email)["customer_id"]
    made = env.desk.open_ticket(customer_id=customer, text=text)
    env.desk.notify(customer_id=customer, ticket_id=made["ticket_id"])
    return made
'''
ASKED = "ada@desk.test writes: it hums. Open a ticket and tell them."


Rule: TypeAlias = Callable[[str], bool]


def never(_code: str) -> bool:
    """Hold for no block."""
    return False


def code(text: str, thought: str = "") -> str:
    """Return a reply with a Python block."""
    return f"{thought}\n```python\n{text}\n```"


def call(text: str) -> str:
    """Return a reply with one function call."""
    return f"```json\n{text}\n```"


class Time:
    """A clock that moves only when somebody sleeps or says so."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        """Let the time pass."""
        self.slept.append(seconds)
        self.now += seconds

    def clock(self) -> Clock:
        """Return it as a run takes it."""
        return Clock(now=lambda: self.now, sleep=self.sleep)


class Failing:
    """A sandbox whose sessions fail at blocks that a test chooses: before the block ran, or after."""

    name, final = "failing", True

    def __init__(
        self, inner: Sandbox, *, before: Rule | None = None, after: Rule | None = None, calls: bool = False
    ) -> None:
        self._inner = inner
        self.before, self.after = before or never, after or never
        self.calls = calls
        self.opened = 0

    def open(self, *, functions: Functions = NONE, limits: Limits = Limits(), packages: Lock | None = None) -> Session:  # noqa: B008
        """Open a session that may fail."""
        self.opened += 1
        return _FailingSession(self, self._inner.open(functions=functions, limits=limits, packages=packages))

    def close(self) -> None:
        """The inner sandbox is not ours."""


class _FailingSession:
    def __init__(self, sandbox: Failing, inner: Session) -> None:
        self._sandbox = sandbox
        self._inner = inner

    def run(self, code: str) -> Outcome:
        """Run a block, unless it is one to fail at."""
        if self._sandbox.before(code):
            raise SandboxError("the engine went away; start it again")
        outcome = self._inner.run(code)
        if self._sandbox.after(code):
            raise SandboxError("the engine went away; start it again")
        return outcome

    def call(self, module: Module, function: str, arguments: JsonObject) -> Outcome:
        """Call as the inner session does, unless calls fail."""
        if self._sandbox.calls:
            raise SandboxError("the engine went away; start it again")
        return self._inner.call(module, function, arguments)

    def test(self, module: Module, tests: Mapping[str, str]) -> TestReport:
        """Test as the inner session does."""
        return self._inner.test(module, tests)

    def close(self) -> None:
        """End the inner session."""
        self._inner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def times(count: int, word: str) -> Callable[[str], bool]:
    """Return a rule that holds for the first `count` blocks with this word in them."""
    left = [count]

    def holds(code: str) -> bool:
        if word not in code or not left[0]:
            return False
        left[0] -= 1
        return True

    return holds


@dataclass(kw_only=True)
class Bench:
    """One desk, one runtime, and the runs that are made on them."""

    desk: Desk
    runtime: Runtime
    sandbox: Sandbox
    time: Time = field(default_factory=Time)
    events: list[RunEvent] = field(default_factory=list)
    asked: list[tuple[Message, ...]] = field(default_factory=list)

    @property
    def environment(self) -> Environment:
        """Return the desk as an environment."""
        return as_environment(self.desk)

    def run(
        self,
        script: Sequence[str | Reply | ModelError] | Callable[[Sequence[Message]], Any],
        *,
        budgets: Budgets = Budgets(seconds=60.0),  # noqa: B008
        choice: Choice = NOTHING,
        query: str = ASKED,
        **more: Any,
    ) -> RunResult:
        """Run one task with a scripted model, in time that does not pass by itself."""
        model = ScriptedModel(script)
        executor = Executor(
            model=model, sandbox=lambda: self.sandbox, manager=self.runtime.manager, clock=self.time.clock(), **more
        )
        task = RunTask(
            recording=self.runtime.record(query, self.desk),
            environment=self.environment,
            choice=choice,
            budgets=budgets,
            listen=self.events.append,
        )
        self.asked = model.asked
        return executor.run(task)

    def register(self, source: str, name: str, capabilities: Sequence[str]) -> ToolVersion:
        """Put a tool into the library, in force."""
        version = ToolVersion(
            name=name,
            scope="desk",
            source=source,
            signature=read_signature(source, name),
            capabilities=tuple(capabilities),
        )
        self.runtime.library.register(version, state=State.ACTIVE, approved_by="test")
        return version

    def told(self) -> list[str]:
        """Return what the model was told after each of its replies."""
        return [message.content for message in self.asked[-1][2:] if message.role == "user"]


@contextmanager
def bench(folder: Path, sandbox: Sandbox) -> Iterator[Bench]:
    """Open a bench whose runtime learns nothing."""
    desk = Desk()
    settings = Settings(database=str(folder / "n.db"), worker="off", selection="scores")
    with Runtime(desk, settings=settings, sandbox=sandbox) as runtime:
        yield Bench(desk=desk, runtime=runtime, sandbox=sandbox)
