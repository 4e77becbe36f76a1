"""One exchange with a child: answer its calls until it sends a result, hits a limit, or ends."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from nucleate_sandbox.bridge import Bridge
from nucleate_sandbox.docker.process import Ended, Exited, LimitHit, Process
from nucleate_sandbox.docker.wire import Violation, table, text
from nucleate_sandbox.json_values import Json, JsonObject, canonical
from nucleate_sandbox.limits import Limit, Limits
from nucleate_sandbox.outcome import Failure

Answer = Callable[[JsonObject], JsonObject]
Handlers = Mapping[str, Answer]
PROCESSOR = (signal.SIGPROF, signal.SIGXCPU)
REPORTED = {limit.value: limit for limit in (Limit.MEMORY, Limit.PROCESSES, Limit.FILES, Limit.DISK, Limit.RESULT)}


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How an exchange ended. `isolated` is false when the container must not serve another program."""

    message: JsonObject | None = None
    failure: Failure | None = None
    limit: Limit | None = None
    exited: bool = False
    isolated: bool = True


def converse(process: Process, handlers: Handlers, deadline: float) -> Ending:
    """Answer messages that have a handler until one comes that has none: that is the result."""
    try:
        while True:
            message = process.receive(deadline)
            handler = handlers.get(text(message, "do"))
            if handler is None:
                return Ending(message=message)
            process.send(handler(message))
    except LimitHit as hit:
        return at_limit(hit.limit, isolated=hit.limit is Limit.CALLS)
    except Violation as violation:
        failure = Failure(kind="ProtocolError", message=f"the program sent {violation} over the private channel")
        return Ending(failure=failure, isolated=False)
    except Exited:
        return Ending(exited=True)


def at_limit(limit: Limit, *, isolated: bool = True, detail: str = "") -> Ending:
    """Return the ending of a program that hit a limit."""
    message = f"the program hit its limit of {limit.value}" + (f": {detail}" if detail else "")
    return Ending(failure=Failure(kind="LimitExceeded", message=message), limit=limit, isolated=isolated)


def bridge_handler(bridge: Bridge) -> Answer:
    """Return the handler that performs environment calls."""

    def answer(message: JsonObject) -> JsonObject:
        call = bridge.call(text(message, "name"), table(message, "arguments"))
        if bridge.exhausted:
            raise LimitHit(Limit.CALLS)
        if call.error is None:
            return {"value": call.result}
        return {"error": error_message(call.error)}

    return answer


def error_message(failure: Failure) -> JsonObject:
    """Return a failure as the child reads it."""
    return {"kind": failure.kind, "message": failure.message, "from_environment": failure.from_environment}


def judged(ending: Ending, limits: Limits) -> Ending:
    """Read the result message: a value, a failure, or a limit that the child ran into."""
    message = ending.message
    if message is None:
        return ending
    if message["do"] == "value" and "value" in message:
        return _value(ending, message.get("value"), limits)
    if message["do"] != "failure":
        return Ending(
            failure=Failure(kind="ProtocolError", message="the program sent an unknown message"), isolated=False
        )
    return _failure(message)


def _value(ending: Ending, value: Json, limits: Limits) -> Ending:
    size = len(canonical(value).encode("utf-8"))
    if size > limits.result_bytes:
        return at_limit(Limit.RESULT, detail=f"{size} bytes of JSON")
    return ending


def _failure(message: JsonObject) -> Ending:
    try:
        failure = Failure(
            kind=text(message, "kind"),
            message=text(message, "message"),
            traceback=text(message, "traceback"),
            from_environment=message.get("from_environment") is True,
        )
    except Violation as violation:
        return Ending(failure=Failure(kind="ProtocolError", message=f"the program sent {violation}"), isolated=False)
    limit = REPORTED.get(str(message.get("limit")))
    if limit is not None:
        failure = replace(failure, message=failure.message or f"the program hit its limit of {limit.value}")
    return Ending(failure=failure, limit=limit)


def after_exit(ended: Ended) -> Ending:
    """Explain a process that ended without a result."""
    if ended.oom:
        return at_limit(Limit.MEMORY, isolated=False)
    if not _signalled(ended.status):
        message = f"the program ended its process with status {ended.status >> 8} before it returned"
        return Ending(failure=Failure(kind="ProcessExit", message=message))
    number = ended.status & 0x7F
    if number in PROCESSOR:
        return at_limit(Limit.CPU, isolated=False)
    message = f"the process was ended by {_name(number)}"
    return Ending(failure=Failure(kind="ProcessKilled", message=message), isolated=False)


def _signalled(status: int) -> bool:
    return bool(status & 0x7F)


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
