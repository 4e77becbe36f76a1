"""Each client has its own bounds; what is beyond them is refused in words."""

from __future__ import annotations

import anyio
import pytest

from nucleate.mcp.gate import CallGate, CallRefused, ClientLimits


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def hold(gate: CallGate, client: str, entered: anyio.Event, leave: anyio.Event) -> None:
    async with gate.turn(client):
        entered.set()
        await leave.wait()


def test_calls_beyond_those_that_may_run_wait_their_turn_in_order() -> None:
    async def scene() -> list[int]:
        gate, order = CallGate(ClientLimits(running=1, waiting=5)), list[int]()

        async def call(number: int) -> None:
            async with gate.turn("a"):
                order.append(number)

        entered, leave = anyio.Event(), anyio.Event()
        async with anyio.create_task_group() as group:
            group.start_soon(hold, gate, "a", entered, leave)
            await entered.wait()
            for number in range(3):
                group.start_soon(call, number)
                await anyio.lowlevel.checkpoint()
            assert order == []
            leave.set()
        return order

    assert anyio.run(scene) == [0, 1, 2]


def test_a_full_queue_is_refused_and_another_client_is_not_concerned() -> None:
    async def scene() -> str:
        gate = CallGate(ClientLimits(running=1, waiting=0))
        entered, leave = anyio.Event(), anyio.Event()
        async with anyio.create_task_group() as group:
            group.start_soon(hold, gate, "a", entered, leave)
            await entered.wait()
            async with gate.turn("b"):
                with pytest.raises(CallRefused) as refused:
                    async with gate.turn("a"):
                        pass
            leave.set()
        return str(refused.value)

    assert anyio.run(scene) == (
        "this client has 1 calls under way and 0 waiting, which is the limit; wait for an answer before the next call"
    )


def test_who_gives_up_waiting_leaves_the_turn_to_the_next() -> None:
    async def scene() -> bool:
        gate = CallGate(ClientLimits(running=1, waiting=5))
        entered, leave, third = anyio.Event(), anyio.Event(), anyio.Event()
        async with anyio.create_task_group() as group:
            group.start_soon(hold, gate, "a", entered, leave)
            await entered.wait()
            async with anyio.create_task_group() as impatient:
                impatient.start_soon(hold, gate, "a", anyio.Event(), leave)
                await anyio.lowlevel.checkpoint()
                impatient.cancel_scope.cancel()
            group.start_soon(hold, gate, "a", third, leave)
            leave.set()
        return third.is_set()

    assert anyio.run(scene)


def test_so_many_calls_a_minute_and_then_the_time_to_wait_is_told() -> None:
    async def scene() -> list[str]:
        clock, said = Clock(), list[str]()
        gate = CallGate(ClientLimits(a_minute=2), clock=clock)
        for now in (0.0, 10.0, 25.0, 60.0):
            clock.now = now
            try:
                async with gate.turn("a"):
                    said.append("served")
            except CallRefused as refused:
                said.append(str(refused))
        return said

    assert anyio.run(scene) == [
        "served",
        "served",
        "this client has made 2 calls within a minute, which is the limit; call again in 35 s",
        "served",
    ]
