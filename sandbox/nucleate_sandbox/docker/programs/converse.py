"""One exchange with a child: answer its calls until it sends a result, hits a limit, or ends."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from nucleate_sandbox.bridge import Bridge
from nucleate_sandbox.docker.link.process import ChildEnd, Exited, Gone, LimitHit, Process
from nucleate_sandbox.docker.link.wire import Violation, table, text
from nucleate_sandbox.json_values import Json, JsonObject, canonical
from nucleate_sandbox.limits import Limit, Limits
from nucleate_sandbox.outcome import Call, Failure, limit_hit
from nucleate_sandbox.stopping import CANCELLED, Stopped

Answer = Callable[[JsonObject], JsonObject]
Handlers = Mapping[str, Answer]
MAX_KIND = 200
MAX_TEXT = 8_000
MARK = "\n…\n"
OUT_OF_MEMORY = 251 << 8  # the status of a child that could not even tell
PROCESSOR = (signal.SIGPROF, signal.SIGXCPU)
REPORTED = {limit.value: limit for limit in (Limit.MEMORY, Limit.PROCESSES, Limit.FILES, Limit.DISK, Limit.RESULT)}


@dataclass(frozen=True, kw_only=True)
class ExchangeEnding:
    """How an exchange ended. `isolated` is false when the container must not serve another program.

    `exited` says that the program's process ended, `gone` that the container did, `cancelled` that it was told to.
    """

    message: JsonObject | None = None
    failure: Failure | None = None
    limit: Limit | None = None
    exited: bool = False
    gone: bool = False
    isolated: bool = True
    cancelled: bool = False


def converse(process: Process, handlers: Handlers, deadline: float) -> ExchangeEnding:
    """Answer messages that have a handler until one comes that has none: that is the result."""
    try:
        while True:
            message = process.receive(deadline)
            handler = handlers.get(text(message, "do"))
            if handler is None:
                return ExchangeEnding(message=message)
            process.send(handler(message))
    except LimitHit as hit:
        return at_limit(hit.limit, isolated=hit.limit is Limit.CALLS)
    except Violation as violation:
        return violated(violation)
    except Stopped:
        return ExchangeEnding(failure=CANCELLED, cancelled=True, isolated=False)
    except Exited:
        return ExchangeEnding(exited=True)
    except Gone:
        return ExchangeEnding(gone=True, isolated=False)


def violated(violation: Violation) -> ExchangeEnding:
    """Return the ending of a program that forged messages."""
    message = f"the program sent {violation} over the private channel"
    return ExchangeEnding(failure=Failure(kind="ProtocolError", message=message), isolated=False)


def at_limit(limit: Limit, *, isolated: bool = True, detail: str = "") -> ExchangeEnding:
    """Return the ending of a program that hit a limit."""
    return ExchangeEnding(failure=limit_hit(limit, detail), limit=limit, isolated=isolated)


def bridge_handler(bridge: Bridge, deadline: float) -> Answer:
    """Return the handler that performs environment calls; none is waited for beyond the program's own deadline."""

    def answer(message: JsonObject) -> JsonObject:
        left = deadline - time.monotonic()
        call = bridge.call(text(message, "name"), table(message, "arguments"), seconds=left)
        if bridge.outage is not None:
            raise bridge.outage
        if bridge.exhausted:
            raise LimitHit(Limit.CALLS)
        if call.error is None:
            return {"value": call.result}
        return {"error": error_message(call.error)}

    return answer


def error_message(failure: Failure) -> JsonObject:
    """Return a failure as the child reads it."""
    return {"kind": failure.kind, "message": failure.message, "from_environment": failure.from_environment}


def judged(ending: ExchangeEnding, limits: Limits, calls: Sequence[Call]) -> ExchangeEnding:
    """Read the result message: a value, a failure, or a limit that the child ran into.

    That a failure comes from the environment is read from the calls, whatever the message says.
    """
    message = ending.message
    if message is None:
        return ending
    if message["do"] == "value" and "value" in message:
        return _value(ending, message.get("value"), limits)
    if message["do"] != "failure":
        return ExchangeEnding(
            failure=Failure(kind="ProtocolError", message="the program sent an unknown message"), isolated=False
        )
    return _failure(message, calls)


def _value(ending: ExchangeEnding, value: Json, limits: Limits) -> ExchangeEnding:
    size = len(canonical(value).encode("utf-8"))
    if size > limits.result_bytes:
        return at_limit(Limit.RESULT, detail=f"{size} bytes of JSON")
    return ending


def _failure(message: JsonObject, calls: Sequence[Call]) -> ExchangeEnding:
    try:
        kind, said = shortened(text(message, "kind"), MAX_KIND), shortened(text(message, "message"))
        traceback = shortened(text(message, "traceback"))
    except Violation as violation:
        return violated(violation)
    heard = message.get("from_environment") is True and _raised(kind, said, calls)
    failure = Failure(kind=kind, message=said, traceback=traceback, from_environment=heard)
    limit = REPORTED.get(str(message.get("limit")))
    if limit is not None:
        failure = replace(failure, message=failure.message or limit_hit(limit).message)
    return ExchangeEnding(failure=failure, limit=limit)


def _raised(kind: str, message: str, calls: Sequence[Call]) -> bool:
    """Tell whether an environment call ended in this error."""
    errors = (call.error for call in calls if call.error is not None and call.error.from_environment)
    return any((error.kind[:MAX_KIND], shortened(error.message)) == (kind[:MAX_KIND], message) for error in errors)


def shortened(text: str, most: int = MAX_TEXT) -> str:
    """Return a text of the program's within a bound, as the child does: head and tail of a longer one."""
    if len(text) <= most or (len(text) == most + len(MARK) and text[most // 2 :].startswith(MARK)):
        return text
    return f"{text[: most // 2]}{MARK}{text[-most // 2 :]}"


def after_exit(ended: ChildEnd, limits: Limits) -> ExchangeEnding:
    """Explain a process that ended without a result."""
    if ended.oom or ended.status == OUT_OF_MEMORY:
        return at_limit(Limit.MEMORY, isolated=False)
    if not _signalled(ended.status):
        message = f"the program ended its process with status {ended.status >> 8} before it returned"
        return ExchangeEnding(failure=Failure(kind="ProcessExit", message=message))
    number = ended.status & 0x7F
    if number in PROCESSOR or (number == signal.SIGKILL and ended.cpu >= limits.cpu_seconds):
        return at_limit(Limit.CPU, isolated=False)
    message = f"the process was ended by {_name(number)}"
    return ExchangeEnding(failure=Failure(kind="ProcessKilled", message=message), isolated=False)


def _signalled(status: int) -> bool:
    return bool(status & 0x7F)


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
