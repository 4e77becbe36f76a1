"""One call in a fresh process of a warm container, from the request to the outcome."""

from __future__ import annotations

import time

from nucleate_sandbox.bridge import Bridge
from nucleate_sandbox.docker.containers.container import Container
from nucleate_sandbox.docker.containers.container_source import ContainerSource
from nucleate_sandbox.docker.containers.shape import Shape
from nucleate_sandbox.docker.link.process import Gone, Process
from nucleate_sandbox.docker.programs.converse import (
    ExchangeEnding,
    after_exit,
    at_limit,
    bridge_handler,
    converse,
    judged,
)
from nucleate_sandbox.environment import Functions
from nucleate_sandbox.json_values import Json, JsonObject
from nucleate_sandbox.limits import Limit, Limits
from nucleate_sandbox.outcome import Call, Outcome, Usage
from nucleate_sandbox.protocol import Module
from nucleate_sandbox.stopping import Stop


def call_once(pool: ContainerSource, functions: Functions, limits: Limits, request: JsonObject, stop: Stop) -> Outcome:
    """Fork a child, have it perform the request, sweep it away, and return what it did."""
    bridge = Bridge(functions, limits, stop)
    with pool.lease(Shape.of("call", limits)) as container:
        began = time.monotonic()
        process = container.begin(limits, stop)
        try:
            process.start("call", request)
            deadline = began + limits.wall_seconds
            exchange = converse(process, {"call": bridge_handler(bridge, deadline)}, deadline)
            ending, usage = conclude(container, process, judged(exchange, limits, bridge.calls), began)
            return outcome(ending, process, bridge.calls, usage)
        finally:
            process.close()


def call_request(module: Module, function: str, arguments: JsonObject) -> JsonObject:
    """Return the message that asks a child for one call."""
    modules: list[Json] = [{"name": item.name, "source": item.source} for item in (*module.dependencies, module)]
    return {"modules": modules, "function": function, "arguments": arguments}


def conclude(
    container: Container, process: Process, ending: ExchangeEnding, began: float
) -> tuple[ExchangeEnding, Usage]:
    """End the child; a container that was under attack, or in which something stayed, serves no other program."""
    seconds = time.monotonic() - began
    container.spent = container.spent or not ending.isolated
    try:
        if ending.gone:
            raise Gone
        ended = container.end(process)
    except Gone:
        if not container.out_of_memory():
            raise
        return at_limit(Limit.MEMORY, isolated=False), Usage(seconds=seconds)
    if ending.exited:
        ending = after_exit(ended, process.limits)
    if not (ending.isolated and ended.clean):
        container.spent = True
    return ending, Usage(seconds=seconds, cpu_seconds=ended.cpu, peak_bytes=ended.peak)


def outcome(ending: ExchangeEnding, process: Process, calls: tuple[Call, ...], usage: Usage) -> Outcome:
    """Return the outcome of an exchange, with the output so far."""
    stdout, stderr = process.output()
    value = ending.message["value"] if ending.message is not None else None
    return Outcome(
        value=value,
        failure=ending.failure,
        limit=ending.limit,
        stdout=stdout,
        stderr=stderr,
        calls=calls,
        usage=usage,
        cancelled=ending.cancelled,
    )
