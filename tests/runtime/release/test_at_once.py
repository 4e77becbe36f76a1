"""Several processes and threads on one tool: every call is answered, and a version is promoted or withdrawn once."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from nucleate.environments import effect
from nucleate_sandbox import Failure, JsonObject, Module, Outcome, SandboxError
from nucleate_tool_library import State
from tests.doubles import InProcessSandbox, InProcessSession
from tests.runtime.release import world
from tests.runtime.release.world import life, runtime, serve, try_out


def test_two_processes_that_route_at_once_promote_a_version_once(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        serve(opened)
        try_out(opened, world.BETTER)
    command = [sys.executable, "-m", "tests.runtime.release.routing_program", str(tmp_path / "n.db"), "20"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in running:
        said, _ = process.communicate()
        assert process.returncode == 0
        assert [line.split()[1] for line in said.splitlines()] == ["0.0", "3.0", "3.0", "3.0", "3.0"] * 4
    with runtime(tmp_path) as opened:
        assert life(opened) == ["1 - → active, admission", "2 - → canary, admission", "2 canary → active, release rule"]
        assert opened.library.uses("price_of") == 40


def test_many_threads_on_a_bad_canary_withdraw_it_once_and_all_get_their_answer(tmp_path: Path) -> None:
    with runtime(tmp_path, worker="off") as opened:
        serve(opened)
        try_out(opened, world.BROKEN)
        with ThreadPoolExecutor(8) as pool:
            values = list(pool.map(lambda n: opened.call("price_of", {"item": f"item {n}"}).value, range(24)))
        opened.releases.settle()
        assert values == [3.0] * 24
        assert life(opened)[2:] == ["2 canary → suspect, release rule", "2 suspect → archived, release rule"]


def test_a_canary_that_appears_during_a_call_leaves_that_call_alone(tmp_path: Path) -> None:
    class Offering(world.Stock):
        """A stock room in which somebody offers a version while a price is asked for."""

        offered = False

        @effect("read")
        def price(self, item: str) -> dict[str, float]:
            """Return the price of an item.

            Args:
                item: The item's name.
            """
            if not self.offered:
                self.offered = True
                try_out(opened, world.WRONG)
            return {"price": 3.0}

    with runtime(tmp_path, {"stock": Offering()}) as opened:
        serve(opened)
        assert opened.call("price_of", {"item": "nut"}).value == 3.0
        assert opened.releases.trials("price_of", world.WRONG.id) == ()
        assert opened.call("price_of", {"item": "nut"}).value == 4.0
        assert life(opened)[-1] == "2 suspect → archived, release rule"


def test_an_environment_whose_copying_breaks_in_any_way_breaks_no_call(tmp_path: Path) -> None:
    class Cursed(world.Stock):
        """A stock room whose copy raises what nobody expects."""

        def __deepcopy__(self, memo: object) -> Cursed:
            raise ZeroDivisionError("cursed")

    with runtime(tmp_path, {"stock": Cursed()}) as opened:
        serve(opened)
        try_out(opened, world.BETTER)
        assert opened.call("price_of", {"item": "nut"}).value == 1.0


def test_a_tool_pinned_while_a_version_is_on_trial_keeps_both_as_they_are(tmp_path: Path) -> None:
    with runtime(tmp_path) as opened:
        serve(opened)
        try_out(opened, world.BETTER)
        for item in ("nut", "bolt", "nail", "odd one"):
            opened.call("price_of", {"item": item})
        opened.library.pin("price_of", by="ada", why="the audit is on")
        for item in ("screw", "pin", "odd two"):
            opened.call("price_of", {"item": item})
        assert len(opened.releases.trials("price_of", world.BETTER.id)) == 4
        opened.library.unpin("price_of", by="ada", why="the audit is over")
        opened.call("price_of", {"item": "screw"})
        assert opened.library.tool("price_of").version.id == world.BETTER.id
        assert opened.library.tool("price_of").state is State.ACTIVE


def test_an_outage_during_the_other_side_makes_the_trial_unpaired(tmp_path: Path) -> None:
    class Failing(InProcessSandbox):
        """A sandbox whose machine fails at its second run."""

        def open(self, **how: object) -> InProcessSession:
            if len(self.ran) == 1:
                self.ran.append("")
                raise SandboxError("the engine is away")
            return super().open(**how)  # type: ignore[arg-type]

    with runtime(tmp_path, sandbox=Failing()) as opened:
        serve(opened)
        try_out(opened, world.BETTER)
        assert opened.call("price_of", {"item": "nut"}).value == 1.0
        (trial,) = opened.releases.trials("price_of", world.BETTER.id)
        assert (trial.reference, trial.regressed) == (None, False)


class Cancelling(InProcessSandbox):
    """A sandbox whose caller gives every call up."""

    def open(self, **how: Any) -> InProcessSession:
        """Open a session that answers as one does that was closed meanwhile."""
        return GivenUp(self, how["functions"], how["limits"])


class GivenUp(InProcessSession):
    """A session that was closed while it ran."""

    def call(self, module: Module, function: str, arguments: JsonObject) -> Outcome:
        """Say that the call was cancelled."""
        return Outcome(failure=Failure(kind="Cancelled", message="the session was closed"), cancelled=True)


def test_a_call_that_its_caller_gave_up_is_no_trial_and_no_use(tmp_path: Path) -> None:
    with runtime(tmp_path, sandbox=Cancelling()) as opened:
        serve(opened)
        assert opened.call("price_of", {"item": "nut"}).cancelled
        try_out(opened, world.BETTER)
        assert opened.call("price_of", {"item": "nut"}).cancelled
        assert opened.releases.trials("price_of", world.BETTER.id) == ()
        assert opened.library.uses("price_of") == 0
