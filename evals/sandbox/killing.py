"""The owner of a sandbox killed in the middle of twenty calls: what is left, and for how long."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

import docker

from evals.report import ROOT
from evals.sandbox.systems import owned
from nucleate_sandbox import DockerSandbox, Limits

CALLS = 20
LIMITS = Limits(wall_seconds=60, cpu_seconds=60)
READY_SECONDS = 120.0
GONE_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class Killed:
    """Calls under way and containers at the kill, seconds until none was left, and what a restart then found."""

    under_way: int
    containers: int
    seconds: float
    left: int


def kill_owner() -> Killed:
    """Start an owner with twenty calls, kill it by SIGKILL, and watch its containers."""
    client = docker.from_env()
    owner = subprocess.Popen(
        [sys.executable, "-m", "evals.sandbox.killing"], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8"
    )
    try:
        assert owner.stdout is not None
        under_way = int(owner.stdout.readline())
        containers = len(owned(owner.pid))
    finally:
        owner.send_signal(signal.SIGKILL)
        owner.wait()
    seconds = _until_gone(owner.pid)
    with DockerSandbox() as sandbox, sandbox.open() as session:
        session.run("1")
        left = len(owned(owner.pid))
    client.close()
    return Killed(under_way=under_way, containers=containers, seconds=seconds, left=left)


def _until_gone(pid: int) -> float:
    began = time.monotonic()
    while owned(pid) and time.monotonic() - began < GONE_SECONDS:
        time.sleep(0.02)
    return time.monotonic() - began


def be_the_owner() -> None:
    """Start twenty calls at once, say when each has its process, and wait for the end."""
    sandbox = DockerSandbox()
    sessions = [sandbox.open(limits=LIMITS) for _ in range(CALLS)]
    for session in sessions:
        session.run("import time")  # a session that has run a block holds a container of its own
    for session in sessions:
        threading.Thread(target=session.run, args=("time.sleep(50)",), daemon=True).start()
    print(len(sessions), flush=True)
    time.sleep(READY_SECONDS)


if __name__ == "__main__":
    be_the_owner()
