"""What a sandboxed program did, as values. What the machine failed to do is in errors.py."""

from __future__ import annotations

from dataclasses import dataclass, field

from nucleate_sandbox.json_values import Json, JsonObject
from nucleate_sandbox.limits import Limit


@dataclass(frozen=True, kw_only=True)
class Call:
    """One call over the bridge: name, arguments, result or error, milliseconds.

    `unchecked` says which keywords of the function's schema its arguments could not be held to, and why.
    """

    function: str
    arguments: JsonObject
    result: Json = None
    error: Failure | None = None
    milliseconds: float = field(default=0.0, compare=False)
    unchecked: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, kw_only=True)
class Failure:
    """An exception of the sandboxed program: its type, message and the traceback lines of the user's module.

    `kind` is the class name (`KeyError`); an error that the environment raised has the environment's own kind.
    `unsupported` marks a construct that this backend lacks, so that a caller can say "needs Docker".
    `from_environment` marks an error that an environment function raised and the program did not catch.
    """

    kind: str
    message: str
    traceback: str = field(default="", compare=False)
    unsupported: bool = False
    from_environment: bool = False


LIMIT_KIND = "LimitExceeded"  # the one kind of an error where a limit was hit, whoever tells it


@dataclass(frozen=True, kw_only=True)
class OutcomeError:
    """Why a program gave no value: an error's kind and message; `limit` where it hit one."""

    kind: str
    message: str
    limit: Limit | None = None

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"

    @property
    def ending(self) -> str:
        """Return how the program ended, as what follows `it`."""
        return f"hit its limit of {self.limit.value}" if self.limit is not None else f"raised {self}"


@dataclass(frozen=True, kw_only=True)
class Output:
    """Captured text of one stream: head and tail when it exceeded the limit, and the bytes that were written."""

    text: str = ""
    total_bytes: int = 0


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What it took: wall seconds, CPU seconds, peak resident bytes (0 where the backend cannot tell)."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """A value, or a failure, or a limit that was hit (then `failure` says so in words); never an outage.

    `cancelled` marks a program that was ended because its session was closed: that says nothing about the program.
    `note` says what whoever asked should know of how it ran, as that it was not where it usually is.
    """

    value: Json = None
    failure: Failure | None = None
    limit: Limit | None = None
    stdout: Output = Output()
    stderr: Output = Output()
    calls: tuple[Call, ...] = ()
    usage: Usage = field(default=Usage(), compare=False)
    cancelled: bool = False
    note: str = field(default="", compare=False)

    @property
    def ok(self) -> bool:
        """True when the program ended by itself with a value."""
        return self.failure is None and self.limit is None

    @property
    def error(self) -> OutcomeError | None:
        """Return why there is no value; None where there is one."""
        return _error(self.failure, self.limit)


@dataclass(frozen=True, kw_only=True)
class TestCase:
    """One test of a candidate's own suite: its id, whether it passed, and why not."""

    __test__ = False  # not a pytest class

    name: str
    passed: bool
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class TestReport:
    """The tests that ran. An empty report never passes; `failure` tells why nothing could be collected."""

    __test__ = False

    cases: tuple[TestCase, ...] = ()
    failure: Failure | None = None
    limit: Limit | None = None
    stdout: Output = Output()
    usage: Usage = field(default=Usage(), compare=False)

    @property
    def passed(self) -> bool:
        """True when at least one test ran, all passed, and nothing else went wrong."""
        return bool(self.cases) and self.failure is None and self.limit is None and all(c.passed for c in self.cases)

    @property
    def error(self) -> OutcomeError | None:
        """Return why the run itself ended early; None where each test had its turn."""
        return _error(self.failure, self.limit)


def limit_hit(limit: Limit, detail: str = "") -> Failure:
    """Return the failure of a program that hit a limit."""
    return Failure(kind=LIMIT_KIND, message=f"the program hit its limit of {limit.value}{detail and f': {detail}'}")


def _error(failure: Failure | None, limit: Limit | None) -> OutcomeError | None:
    if limit is not None:
        return OutcomeError(kind=LIMIT_KIND, message=(failure or limit_hit(limit)).message, limit=limit)
    return OutcomeError(kind=failure.kind, message=failure.message) if failure is not None else None
