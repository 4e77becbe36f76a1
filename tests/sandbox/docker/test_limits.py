"""Every limit has its own outcome, and the next call works."""

from __future__ import annotations

from dataclasses import replace

import pytest

from nucleate_sandbox import DockerSandbox, Limit, Limits
from nucleate_sandbox.limits import MIB
from tests.sandbox.docker.programs import DEFAULT, SPINNING, WAITING, call, module

pytestmark = pytest.mark.docker

TIGHT = {Limit.CPU: SPINNING, Limit.WALL: WAITING}
SOCKETS = """
import contextlib, os, socket, time
def tool():
    for _ in range(25):
        if os.fork() == 0:
            fill()
    time.sleep(100)

def fill():
    kept = []
    with contextlib.suppress(OSError):
        while True:
            pair = socket.socketpair()
            kept.append(pair)
            pair[0].setblocking(False)
            pair[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
            with contextlib.suppress(BlockingIOError):
                while True:
                    pair[0].send(b"x" * 60000)
    time.sleep(100)
"""
BEYOND = {
    "a loop in Python": ("def tool():\n    while True: pass\n", Limit.CPU),
    "a loop in C": ("def tool():\n    return 9 ** (9 ** 9)\n", Limit.CPU),
    "a regular expression that explodes": ("import re\ndef tool():\n    re.match('(a*)*b', 'a' * 99)\n", Limit.CPU),
    "a loop that ignores the signals of its clock": (
        (
            "import signal\ndef tool():\n    signal.signal(signal.SIGPROF, signal.SIG_IGN)\n"
            "    signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n    while True: pass\n"
        ),
        Limit.CPU,
    ),
    "a sleep": ("import time\ndef tool():\n    time.sleep(60)\n", Limit.WALL),
    "a dead lock": (
        "import threading\ndef tool():\n    lock = threading.Lock()\n    while True: lock.acquire()\n",
        Limit.WALL,
    ),
    "one block of memory": ("def tool():\n    return len(bytearray(10 ** 10))\n", Limit.MEMORY),
    "many small blocks": ("def tool():\n    kept = []\n    while True: kept.append('x' * 9999)\n", Limit.MEMORY),
    "many small objects": ("def tool():\n    kept = []\n    while True: kept.append([])\n", Limit.MEMORY),
    "memory of the kernel": (SOCKETS, Limit.MEMORY),
    "processes that wait": (
        "import os, time\ndef tool():\n    while True:\n        if os.fork() == 0:\n            time.sleep(60)\n",
        Limit.PROCESSES,
    ),
    "a fork bomb that ignores errors": (
        "import contextlib, os\ndef tool():\n    while True:\n        with contextlib.suppress(OSError): os.fork()\n",
        Limit.WALL,
    ),
    "threads": (
        "from threading import Event, Thread\ndef tool():\n    while True: Thread(target=Event().wait).start()\n",
        Limit.PROCESSES,
    ),
    "open files": ("def tool():\n    return [open('/dev/null') for _ in range(999)]\n", Limit.FILES),
    "a large file": ("def tool():\n    open('/tmp/x', 'wb').write(b'x' * 99_000_000)\n", Limit.DISK),
    "many files": ("def tool():\n    for i in range(9999): open(f'/tmp/{i}', 'w')\n", Limit.DISK),
    "a gigabyte of output": ("def tool():\n    for _ in range(1024): print('x' * 2 ** 20)\n", Limit.OUTPUT),
    "a gigabyte of errors": (
        "import os\ndef tool():\n    for _ in range(1024): os.write(2, b'x' * 2 ** 20)\n",
        Limit.OUTPUT,
    ),
    "a large result": ("def tool():\n    return 'x' * 5_000_000\n", Limit.RESULT),
}


@pytest.mark.parametrize("name", BEYOND)
def test_a_program_beyond_a_limit_has_that_limit_as_its_outcome(docker_sandbox: DockerSandbox, name: str) -> None:
    source, limit = BEYOND[name]
    with docker_sandbox.open(limits=TIGHT.get(limit, DEFAULT)) as session:
        outcome = session.call(module(source), "tool", {})
        assert (outcome.value, outcome.limit, outcome.ok) == (None, limit, False)
        assert outcome.failure is not None
        assert session.call(module("def tool():\n    return 1\n"), "tool", {}).value == 1


def test_output_beyond_the_limit_keeps_head_and_tail_and_counts_all(docker_sandbox: DockerSandbox) -> None:
    source = "def tool():\n    print('first' + 'x' * 100_000 + 'last', end='')\n    return 1\n"
    outcome = call(docker_sandbox, source, limits=replace(DEFAULT, output_bytes=100))
    assert (outcome.value, outcome.stdout.total_bytes) == (1, 100_009)
    assert outcome.stdout.text == f"first{'x' * 45}\n… 99909 bytes left out …\n{'x' * 46}last"


def test_invalid_text_on_a_stream_is_shown_and_breaks_nothing(docker_sandbox: DockerSandbox) -> None:
    outcome = call(docker_sandbox, "import os\ndef tool():\n    os.write(1, b'a\\xff\\n')\n    return 1\n")
    assert (outcome.value, outcome.stdout.text) == (1, "a\ufffd\n")


def test_an_exception_of_endless_text_is_shortened(docker_sandbox: DockerSandbox) -> None:
    outcome = call(docker_sandbox, "def tool():\n    raise ValueError('x' * (100 << 20))\n")
    assert outcome.failure is not None
    assert (outcome.failure.kind, len(outcome.failure.message), outcome.limit) == ("ValueError", 8003, None)


def test_a_program_may_use_a_pool_of_threads(docker_sandbox: DockerSandbox) -> None:
    source = """
        from concurrent.futures import ThreadPoolExecutor
        def tool():
            with ThreadPoolExecutor(16) as pool:
                return sum(pool.map(lambda n: n, range(100)))
        """
    assert call(docker_sandbox, source).value == 4950


def test_a_socket_that_has_nothing_to_read_is_no_limit(docker_sandbox: DockerSandbox) -> None:
    source = """
        import socket
        def tool():
            one, two = socket.socketpair()
            one.setblocking(False)
            one.recv(1)
        """
    outcome = call(docker_sandbox, source)
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.limit) == ("BlockingIOError", None)


def test_memory_below_the_limit_is_there(docker_sandbox: DockerSandbox) -> None:
    source = "def tool():\n    return len(bytearray(100 * 2 ** 20))\n"
    outcome = call(docker_sandbox, source, limits=Limits(memory_bytes=128 * MIB))
    assert (outcome.value, outcome.usage.peak_bytes > 100 * MIB) == (100 * MIB, True)


def test_odd_limits_are_honoured(docker_sandbox: DockerSandbox) -> None:
    odd = Limits(memory_bytes=100_000_001, disk_bytes=1_000_001, processes=7, open_files=21, wall_seconds=0.9)
    assert call(docker_sandbox, "def tool():\n    return 1\n", limits=odd).value == 1
