"""Many calls in a row, with a look at the memory and the descriptors every few hundred."""

from __future__ import annotations

import os
import resource
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import docker
from docker.errors import APIError

from evals.sandbox.systems import ANSWER, MODULE, memory_bytes, ours, owned
from nucleate_sandbox.docker.engine import connect

SAMPLES = 40
PAGE_KB = resource.getpagesize() // 1024
MIB = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One look: after how many calls, wrong answers so far, and what the host process and its containers hold."""

    calls: int
    wrong: int
    host_kb: int
    descriptors: int
    containers_mb: float
    containers: int


def long_run(calls: int) -> list[Sample]:
    """Make the calls one after the other, each in a session of its own, and look forty times."""
    system, client = ours(), connect()  # which leaves no connection of its own behind
    system.open()
    wrong, samples, every = 0, [], max(1, calls // SAMPLES)
    try:
        assert system.sandbox is not None
        for number in range(1, calls + 1):
            with system.sandbox.open() as session:
                wrong += session.call(MODULE, "double", {"n": 21}).value != ANSWER
            if number % every == 0:
                samples.append(_look(client, number, wrong))
    finally:
        system.close()
        client.close()
    return samples


def _look(client: docker.DockerClient, calls: int, wrong: int) -> Sample:
    containers = owned()
    return Sample(
        calls=calls,
        wrong=wrong,
        host_kb=int(Path("/proc/self/statm").read_text("ascii").split()[1]) * PAGE_KB,
        descriptors=len(os.listdir("/proc/self/fd")),  # noqa: PTH208 - iterdir would count its own the same way
        containers_mb=sum(_memory(client, identity) for identity in containers) / MIB,
        containers=len(containers),
    )


def _memory(client: docker.DockerClient, identity: str) -> int:
    try:
        return memory_bytes(client, identity)
    except (APIError, KeyError):
        return 0  # one that served its number of calls is being removed


def write_curve(path: Path, samples: Sequence[Sample]) -> None:
    """Write a PNG: memory of the host process and of the containers above, open descriptors below."""
    from matplotlib.figure import Figure  # here, since it takes a second that a run without a chart need not spend

    figure = Figure(figsize=(8, 5), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[2, 1])
    calls = [sample.calls for sample in samples]
    above.plot(calls, [sample.host_kb / 1024 for sample in samples], label="host process", color="#3b6ea5")
    above.plot(calls, [sample.containers_mb for sample in samples], label="all its containers", color="#c26a3d")
    above.set_title("Memory and descriptors over calls in a row, each in a fresh process", loc="left")
    above.set_ylabel("MB")
    above.legend(frameon=False)
    below.plot(calls, [sample.descriptors for sample in samples], color="#3b6ea5")
    below.set_ylabel("open descriptors")
    below.set_xlabel("calls")
    for axes in (above, below):
        axes.set_ylim(bottom=0)
        axes.spines[["top", "right"]].set_visible(False)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150)
