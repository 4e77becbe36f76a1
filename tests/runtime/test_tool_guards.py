"""What the policy refuses raises in the sandbox too, should a tool that holds it ever be in the library."""

from __future__ import annotations

from pathlib import Path

import pytest

from nucleate import Runtime
from nucleate.settings.settings import Settings
from nucleate.shop import open_shop
from nucleate_sandbox import DockerSandbox, Failure, MontySandbox, Sandbox
from nucleate_tool_library import State, ToolVersion, read_signature

WALK = 'def walk(text: str) -> str:\n    """Name the class of a text."""\n    return text.__class__.__name__\n'
PATHS = 'def paths(text: str) -> str:\n    """Join."""\n    import os\n\n    return os.path.join(text, text)\n'
PLAIN = 'def plain(text: str) -> str:\n    """Double a text."""\n    return text + text\n'


def call(name: str, source: str, sandbox: Sandbox, folder: Path) -> object:
    """Put a tool into the library past every gate, call it, and return its value or the kind of its failure."""
    settings = Settings(database=str(folder / "n.db"))
    version = ToolVersion(name=name, scope="shop", source=source, signature=read_signature(source, name))
    with Runtime(open_shop(), settings=settings, sandbox=sandbox) as runtime:
        runtime.library.register(version, state=State.ACTIVE, approved_by="test")
        outcome = runtime.call(name, {"text": "ab"})
    return outcome.failure.kind if isinstance(outcome.failure, Failure) else outcome.value


@pytest.mark.docker
@pytest.mark.parametrize(
    ("name", "source", "kind"),
    [("walk", WALK, "AttributeError"), ("paths", PATHS, "ImportError")],
    ids=["walk", "paths"],
)
def test_a_tool_that_no_gate_judged_meets_the_guards(
    name: str, source: str, kind: str, tmp_path: Path, docker_sandbox: DockerSandbox
) -> None:
    assert call(name, source, docker_sandbox, tmp_path) == kind


def test_a_tool_that_the_policy_allows_runs_as_it_stands(tmp_path: Path) -> None:
    with MontySandbox() as sandbox:
        assert call("plain", PLAIN, sandbox, tmp_path) == "abab"
