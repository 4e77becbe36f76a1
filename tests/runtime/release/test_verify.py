"""After a function changed: tools return, are rebuilt from their plan, or are archived with their dependents listed."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from nucleate import Runtime, Settings
from nucleate_sandbox import DockerSandbox
from nucleate_tool_library import State
from tests.runtime.release.desk import LOUD, LOUDER, Before, WithMore, Without, by_hand, live

pytestmark = pytest.mark.docker
LEARNED = "open_ticket"


@contextlib.contextmanager
def opened(folder: Path, environment: object, sandbox: DockerSandbox, **settings: object) -> Iterator[Runtime]:
    chosen = Settings(**{"database": str(folder / "n.db"), "worker": "off", "suspect_days": 0, **settings})  # type: ignore[arg-type]
    with Runtime({"desk": environment}, settings=chosen, sandbox=sandbox) as runtime:
        yield runtime


def _learn(folder: Path, sandbox: DockerSandbox) -> str:
    with opened(folder, Before(), sandbox, worker="inline") as runtime:
        live(runtime, range(5))
        (tool,) = runtime.library.tools()
        assert tool.state is State.ACTIVE
        return tool.name


def test_a_lost_parameter_rebuilds_one_tool_and_archives_another_with_its_dependents_listed(
    tmp_path: Path, docker_sandbox: DockerSandbox
) -> None:
    name = _learn(tmp_path, docker_sandbox)
    loud = by_hand("open_loud_ticket", LOUD)
    two = by_hand("open_two_tickets", LOUDER, calls=(loud,))
    with opened(tmp_path, Before(), docker_sandbox) as runtime:
        for version in (loud, two):
            runtime.releases.release(version, state=State.ACTIVE, plan_id=None, by="ada")
    with opened(tmp_path, Without(), docker_sandbox) as runtime:
        assert {tool.state for tool in runtime.library.tools()} == {State.SUSPECT}
        found = {item.name: item for item in runtime.releases.verify()}
        assert {key: item.result for key, item in found.items()} == {
            name: "rebuilt",
            "open_loud_ticket": "archived",
            "open_two_tickets": "archived",
        }
        assert found[name].changed == ("desk.open_ticket",)
        assert found["open_loud_ticket"].dependents == ("open_two_tickets",)
        assert runtime.library.history("open_loud_ticket")[-1].why.endswith("called by open_two_tickets")
        rebuilt = runtime.library.tool(name)
        assert (rebuilt.number, rebuilt.state, "channel" in rebuilt.version.source) == (2, State.ACTIVE, False)
        outcome = runtime.call(name, {"email": "fay@desk.test", "text": "lost the charger"})
        assert outcome.ok, outcome
        assert [call.function for call in outcome.calls] == ["desk.find_customer", "desk.open_ticket"]


def test_a_new_optional_parameter_lets_a_tool_return_by_itself_with_the_new_hashes(
    tmp_path: Path, docker_sandbox: DockerSandbox
) -> None:
    name = _learn(tmp_path, docker_sandbox)
    with opened(tmp_path, WithMore(), docker_sandbox, worker="inline") as runtime:
        tool = runtime.library.tool(name)
        assert (tool.number, tool.state) == (1, State.ACTIVE)
        assert [(e.was, e.now, e.by) for e in runtime.library.history(name)[1:]] == [
            (State.ACTIVE, State.SUSPECT, "drift"),
            (State.SUSPECT, State.ACTIVE, "verification"),
        ]
        assert runtime.library.history(name)[1].why == "desk.open_ticket has a new parameter 'language'"
        (again,) = runtime.releases.verify()
        assert again.result == "unchanged"


def test_an_invalidated_plan_archives_what_no_longer_passes_and_returns_what_does(
    tmp_path: Path, docker_sandbox: DockerSandbox
) -> None:
    name = _learn(tmp_path, docker_sandbox)
    with opened(tmp_path, Before(), docker_sandbox) as runtime:
        plan = runtime.library.tool(name).plan_id
        assert plan is not None
        runtime.memory.invalidate(plan, by="bo", why="tickets are opened by the caller")
        runtime.tools_for("open a ticket")
        assert runtime.releases.look() == (name,)
        (found,) = runtime.releases.verify()
        assert (found.was, found.now, found.result) == (State.SUSPECT, State.ACTIVE, "returned")


def test_without_its_environment_a_tool_waits_and_is_rebuilt_when_it_is_attached(
    tmp_path: Path, docker_sandbox: DockerSandbox
) -> None:
    name = _learn(tmp_path, docker_sandbox)
    with opened(tmp_path, Without(), docker_sandbox) as runtime:
        assert runtime.library.tool(name).state is State.SUSPECT
    chosen = Settings(database=str(tmp_path / "n.db"), worker="off")
    with Runtime(settings=chosen, sandbox=docker_sandbox) as runtime:
        assert runtime.drain() > 0
        (found,) = runtime.releases.verify()
        assert (found.result, found.now) == ("waits", State.SUSPECT)
    with opened(tmp_path, Without(), docker_sandbox, worker="inline") as runtime:
        assert runtime.library.tool(name).number == 2
