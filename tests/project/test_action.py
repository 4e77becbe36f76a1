"""The reusable action and the hook: their YAML says what they promise, and no input becomes part of a script."""

from __future__ import annotations

import re
from typing import Any

import yaml

from tests.project.places import ROOT

ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]


def test_the_action_is_composite_and_every_script_names_its_shell() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert [step for step in STEPS if "run" in step and step.get("shell") != "bash"] == []


def test_every_input_is_described_has_a_default_and_is_used() -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    assert [
        name for name, given in ACTION["inputs"].items() if not given["description"] or "default" not in given
    ] == []
    assert [name for name in ACTION["inputs"] if f"inputs.{name}" not in text] == []


def test_no_expression_stands_in_a_script() -> None:
    assert [step["run"] for step in STEPS if re.search(r"\$\{\{", step.get("run", ""))] == []


def test_actions_of_others_are_named_with_a_version() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert [name for name in used if not re.fullmatch(r"[\w-]+/[\w./-]+@v\d+", name)] == []


def test_the_hook_calls_a_command_that_exists() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["entry"].split()[:2] == ["nucleate", "admit"]
    assert (hook["language"], hook["pass_filenames"]) == ("python", False)
