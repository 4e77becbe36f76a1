"""Closing a session from another thread ends what runs in it, whatever it is doing."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from nucleate_sandbox import Outcome, Sandbox, SandboxError, Session
from tests.contracts.sandbox_world import ENOUGH, PATIENCE, World, call, functions, module, shown

LOOPS = "def tool():\n    env.shop.wait()\n    while True:\n        pass\n"
WAITS = "def tool():\n    env.shop.wait()\n"
CATCHES = "def tool():\n    try:\n        env.shop.wait()\n    except Exception:\n        return 'caught'\n"
CANCELLED = ("Cancelled", "the program was ended: its session was closed while it ran")


def calling(source: str) -> Callable[[Session], Outcome]:
    return lambda session: session.call(module(source), "tool", {})


def running(source: str) -> Callable[[Session], Outcome]:
    return lambda session: session.run(f"{source}\ntool()")


def closed_while_it_runs(sandbox: Sandbox, world: World, work: Callable[[Session], Outcome]) -> Outcome:
    """Close the session once the program has reached the environment."""
    with sandbox.open(functions=functions(world), limits=ENOUGH) as session, ThreadPoolExecutor(1) as thread:
        outcome = thread.submit(work, session)
        assert world.reached.wait(PATIENCE)
        session.close()
        return outcome.result(PATIENCE)


@pytest.mark.parametrize("start", [calling, running])
def test_an_endless_program_is_ended(sandbox: Sandbox, start: Callable[[str], Callable[[Session], Outcome]]) -> None:
    world = World()
    world.released.set()
    outcome = closed_while_it_runs(sandbox, world, start(LOOPS))
    assert (outcome.cancelled, outcome.limit, shown(outcome)) == (True, None, CANCELLED)


@pytest.mark.parametrize("source", [WAITS, CATCHES])
def test_a_program_that_waits_for_its_environment_is_ended_without_an_answer(sandbox: Sandbox, source: str) -> None:
    world = World()
    outcome = closed_while_it_runs(sandbox, world, calling(source))
    world.released.set()
    assert (outcome.cancelled, shown(outcome)) == (True, CANCELLED)


def test_a_suite_under_way_fails(sandbox: Sandbox) -> None:
    world = World()
    world.fork = lambda: world  # type: ignore[method-assign]
    with sandbox.open(functions=functions(world), limits=ENOUGH) as session, ThreadPoolExecutor(1) as thread:
        report = thread.submit(session.test, module(WAITS), {"test_a.py": "def test_one():\n    tool()\n"})
        assert world.reached.wait(PATIENCE)
        session.close()
        assert not report.result(PATIENCE).passed


def test_a_cancelled_call_leaves_the_sandbox_fit_for_the_next(sandbox: Sandbox) -> None:
    world = World()
    world.released.set()
    closed_while_it_runs(sandbox, world, calling(LOOPS))
    assert call(sandbox, "def tool():\n    return 42") == Outcome(value=42)


def test_the_closed_session_takes_no_other_call(sandbox: Sandbox) -> None:
    session = sandbox.open(limits=ENOUGH)
    session.close()
    with pytest.raises(SandboxError, match="the session is closed"):
        session.run("1")


def test_a_call_that_ended_by_itself_is_not_cancelled(sandbox: Sandbox) -> None:
    assert not call(sandbox, "def tool():\n    return 1 // 0").cancelled
