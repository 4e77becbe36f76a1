"""A tool with third-party packages, from the library to its value."""

from __future__ import annotations

from pathlib import Path

import pytest

from nucleate import Runtime
from nucleate.errors import ToolFailed
from nucleate.settings.settings import Settings
from nucleate.shop import open_shop
from nucleate.versions import candidate_of
from nucleate_sandbox import DockerSandbox, Lock, Outcome, ScriptedSandbox, lock, read_requirements
from nucleate_tool_library import State, ToolVersion, read_signature

SPOKEN = """# /// script
# dependencies = ["humanize==4.12.3"]
# ///
import humanize


def spoken(number: int) -> str:
    \"\"\"Return a number as people say it.\"\"\"
    return humanize.intword(number)
"""
PHRASE = """def phrase(number: int) -> str:
    \"\"\"Return a sentence about a number.\"\"\"
    return f"It is {spoken(number=number)}."
"""
A, B = (f"a=={number} \\\n    --hash=sha256:{'0' * 64}\n" for number in (1, 2))


def version(name: str, source: str, *dependencies: ToolVersion, locked: str = "") -> ToolVersion:
    return ToolVersion(
        name=name,
        scope="shop",
        source=source,
        signature=read_signature(source, name),
        dependencies=tuple(item.id for item in dependencies),
        lock=locked,
    )


def register(runtime: Runtime, *versions: ToolVersion) -> None:
    for item in versions:
        runtime.library.register(item, state=State.ACTIVE, approved_by="test")


@pytest.mark.docker
def test_a_tool_and_its_caller_run_with_the_packages_of_the_closure(
    tmp_path: Path, docker_sandbox: DockerSandbox
) -> None:
    spoken = version("spoken", SPOKEN, locked=lock(read_requirements(SPOKEN)).text)
    settings = Settings(database=str(tmp_path / "n.db"))
    with Runtime(open_shop(), settings=settings, sandbox=docker_sandbox) as runtime:
        register(runtime, spoken, version("phrase", PHRASE, spoken))
        assert runtime.call("spoken", {"number": 1_200_000}).value == "1.2 million"
        assert runtime.call("phrase", {"number": 1_200_000}).value == "It is 1.2 million."


def test_a_session_is_opened_with_the_stored_lock(tmp_path: Path) -> None:
    sandbox = ScriptedSandbox([Outcome(), Outcome()])
    spoken, settings = version("spoken", SPOKEN, locked=A), Settings(database=str(tmp_path / "n.db"))
    with Runtime(open_shop(), settings=settings, sandbox=sandbox) as runtime:
        register(runtime, spoken, version("phrase", PHRASE, spoken))
        runtime.call("spoken", {"number": 1})
        runtime.call("phrase", {"number": 1})
    assert sandbox.packages == [Lock(text=A), Lock(text=A)]


def test_a_tool_whose_callees_are_locked_differently_is_refused_by_name(tmp_path: Path) -> None:
    one, two = version("one", SPOKEN.replace("spoken", "one"), locked=A), version("spoken", SPOKEN, locked=B)
    settings = Settings(database=str(tmp_path / "n.db"))
    with Runtime(open_shop(), settings=settings, sandbox=ScriptedSandbox()) as runtime:
        register(runtime, one, two, version("phrase", PHRASE, one, two))
        with pytest.raises(ToolFailed, match=r"^phrase cannot be called: 'a' is locked as '2' and as something else"):
            runtime.call("phrase", {"number": 1})


def test_a_version_becomes_a_candidate_with_the_same_lock() -> None:
    assert candidate_of(version("spoken", SPOKEN, locked=A)).lock == A
