"""An engine of our own, stopped and started while calls run: they end as outages, and then work again."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from evals.sandbox.systems import ANSWER, MODULE
from nucleate_sandbox import DockerSandbox, SandboxError
from nucleate_sandbox.docker import build_image
from nucleate_sandbox.docker.engine import connect

WORKERS = 4
LOAD_SECONDS = 2.0
START_SECONDS = 60.0
PAUSE = 0.05  # what a caller waits after an outage


@dataclass(frozen=True, kw_only=True)
class Outage:
    """Right answers before the stop and after the start, calls that ended as an outage between, and wrong answers.

    `seconds` pass from the engine's first answer to the next right one of the same sandbox object.
    """

    before: int
    errors: int
    after: int
    wrong: int
    seconds: float
    message: str


def stop_engine() -> Outage:
    """Stop and start a private engine under the load of four threads."""
    with tempfile.TemporaryDirectory(prefix="nuc-") as name, _cgroup():
        engine = Engine(Path(name))
        engine.start()
        try:
            client = connect(engine.host)
            build_image(client=client)
            client.close()
            return _under_load(engine)
        finally:
            engine.stop()
            shutil.rmtree(name, ignore_errors=True)


class Engine:
    """A Docker engine with its own folder, socket and cgroup, without a network."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.host = f"unix://{folder}/d.sock"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        # In a network namespace of its own: an engine without a bridge removes the one of the engine beside it.
        command = [
            "unshare", "--net", "dockerd", "--data-root", f"{self._folder}/data", "--exec-root", f"{self._folder}/x",
            "--pidfile", f"{self._folder}/pid", "--host", self.host, "--bridge", "none", "--iptables=false",
            "--ip-masq=false", "--cgroup-parent", f"/{PARENT}",
        ]  # fmt: skip
        log = (self._folder / "log").open("ab")
        self._process = subprocess.Popen(command, stdout=log, stderr=log)
        log.close()
        give_up = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > give_up:
                words = (self._folder / "log").read_text("utf-8", "replace")[-600:]
                raise SystemExit(f"a private engine did not start (dockerd and root are needed):\n{words}")
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            connect(self.host).close()
        except SandboxError:
            return False
        return True

    def stop(self) -> None:
        """Stop it as a service manager does."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
        self._process = None


PARENT = f"nucleate-eval-{os.getpid()}"


@contextmanager
def _cgroup() -> Iterator[None]:
    """The engine makes the cgroups of its containers below one of our own; what is left of it goes afterwards."""
    try:
        yield
    finally:
        for path in sorted(Path("/sys/fs/cgroup").glob(f"**/{PARENT}"), key=lambda item: -len(item.parts)):
            for folder in sorted([*path.rglob("*/"), path], key=lambda item: -len(item.parts)):
                if folder.is_dir():
                    try:
                        folder.rmdir()
                    except OSError:
                        continue


@dataclass
class _Load:
    """What the threads have seen so far."""

    right: int = 0
    wrong: int = 0
    errors: int = 0
    message: str = ""
    stopped: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)

    def work(self, sandbox: DockerSandbox) -> None:
        """Call until told to stop; an outage is counted, and the same object is asked again."""
        while not self.stopped:
            try:
                with sandbox.open() as session:
                    right = session.call(MODULE, "double", {"n": 21}).value == ANSWER
            except SandboxError as error:
                with self.lock:
                    self.errors += 1
                    self.message = str(error)
                time.sleep(PAUSE)
                continue
            with self.lock:
                self.right += right
                self.wrong += not right


def _under_load(engine: Engine) -> Outage:
    load = _Load()
    with DockerSandbox(host=engine.host) as sandbox:
        threads = [threading.Thread(target=load.work, args=(sandbox,)) for _ in range(WORKERS)]
        for thread in threads:
            thread.start()
        try:
            time.sleep(LOAD_SECONDS)
            engine.stop()
            before = load.right
            time.sleep(LOAD_SECONDS)
            engine.start()
            began, seen = time.monotonic(), load.right
            while load.right == seen and time.monotonic() - began < START_SECONDS:
                time.sleep(0.01)
            seconds = time.monotonic() - began
            time.sleep(LOAD_SECONDS)
        finally:
            load.stopped = True
            for thread in threads:
                thread.join()
    return Outage(
        before=before,
        errors=load.errors,
        after=load.right - before,
        wrong=load.wrong,
        seconds=seconds,
        message=load.message,
    )
