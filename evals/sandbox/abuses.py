"""Programs that misuse what runs them, and what becomes of the program, of what it leaves, and of the next call."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import docker

from evals.sandbox.peers.peer import Peer
from evals.sandbox.systems import MODULE, PRINTED, Foreign, Ours, processes
from nucleate_sandbox import JsonObject, Limits, Module, Outcome, SandboxError

SECONDS = 2.0  # the time limit that each system is given, where it takes one
LIMITS = Limits(wall_seconds=SECONDS, cpu_seconds=SECONDS)
MARK = "left-behind"
OWN = 2  # the server of a container, and the child that waits

ABUSES: Mapping[str, str] = {
    "loop in Python": "while True:\n    pass",
    "loop in C": "sum(range(10**12))",
    "sleeps for ever": "import time\ntime.sleep(3600)",
    "2 GB of memory": "block = b'x' * (2 << 30)\nprint(len(block))",
    "300 MB of output": "for _ in range(300):\n    print('x' * (1 << 20))",
    "a daemon": (
        "import os, time\n"
        "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(60)\n    os._exit(0)\n"
        "print('ok')"
    ),
    "200 processes": (
        "import os, time\nfor _ in range(200):\n    if os.fork() == 0:\n        time.sleep(30)\n        os._exit(0)\n"
        "print('ok')"
    ),
    "SIGTERM to process 1": "import os, signal\nos.kill(1, signal.SIGTERM)\nprint('ok')",
    "exit in the middle": "import os\nos._exit(0)",
    "a file left behind": f"open('/tmp/{MARK}', 'w').write('x')\nprint('ok')",
}
LOOK = f"import os\nprint(os.path.exists('/tmp/{MARK}'))\n"


@dataclass(frozen=True, kw_only=True)
class Abused:
    """What one system did with one program.

    `seconds` until the caller had an answer (None: none came), `said` what it was told, `processes` how many more
    than before the container held afterwards, `next_call` whether the next call answered rightly, `leaked` whether
    it saw what the program had left on the disk.
    """

    system: str
    abuse: str
    seconds: float | None
    said: str
    processes: int
    next_call: bool
    leaked: bool = False

    def row(self) -> JsonObject:
        """Return the row as JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def abuse_ours(system: Ours, client: docker.DockerClient) -> list[Abused]:
    """Put every program into a sandbox of ours; one warm sandbox serves them all."""
    rows = []
    for name, code in ABUSES.items():
        began = time.monotonic()
        outcome = _run(system, code)
        seconds = time.monotonic() - began
        well, leaked = _answers(system), _shows(system)
        rows.append(Abused(system=system.name, abuse=name, seconds=round(seconds, 2), said=_words(outcome),
                           processes=_beyond_its_own(system, client), next_call=well, leaked=leaked))  # fmt: skip
    return rows


def _beyond_its_own(system: Ours, client: docker.DockerClient) -> int:
    """Count the processes that are neither a container's server nor the child that waits for the next program."""
    return sum(max(0, processes(client, (identity,)) - OWN) for identity in system.containers())


def _run(system: Ours, code: str) -> Outcome:
    assert system.sandbox is not None
    source = f"def abuse():\n{textwrap.indent(code, '    ')}\n"
    with system.sandbox.open(limits=LIMITS) as session:
        return session.call(Module(name="abuse", source=source), "abuse", {})


def _words(outcome: Outcome) -> str:
    error = outcome.error
    if error is None:
        return "output"
    return error.kind if error.limit is None else f"limit: {error.limit.value}"


def _answers(system: Ours) -> bool:
    assert system.sandbox is not None
    try:
        with system.sandbox.open(limits=LIMITS) as session:
            return session.call(MODULE, "double", {"n": 21}).value == 42
    except SandboxError:
        return False


def _shows(system: Ours) -> bool:
    source = f"import os\n\ndef look() -> bool:\n    return os.path.exists('/tmp/{MARK}')\n"
    assert system.sandbox is not None
    with system.sandbox.open(limits=LIMITS) as session:
        return session.call(Module(name="look", source=source), "look", {}).value is not False


def abuse_peer(system: Foreign, client: docker.DockerClient) -> list[Abused]:
    """Put every program into a new container of the peer's, since some are of no use afterwards."""
    rows = []
    for name, code in ABUSES.items():
        system.open()
        try:
            rows.append(_abuse_peer(system, client, name, code))
        finally:
            system.close()
    return rows


def _abuse_peer(system: Foreign, client: docker.DockerClient, name: str, code: str) -> Abused:
    system.call()
    before = processes(client, system.containers())
    answer = _ask(system.peer, code)
    well = _ask(system.peer, PRINTED).get("output", "").strip() == "42"
    leaked = _ask(system.peer, LOOK).get("output", "").strip() == "True"
    return Abused(
        system=system.name,
        abuse=name,
        seconds=round(answer["ms"] / 1000, 2) if answer.get("ended") else None,
        said=str(answer.get("said", "")),
        processes=max(0, processes(client, system.containers()) - before),
        next_call=well,
        leaked=leaked,
    )


def _ask(peer: Peer, code: str) -> Mapping[str, Any]:
    with suppress(RuntimeError):
        return peer.run(code, SECONDS)
    return {"ended": False, "said": "the driver ended"}
