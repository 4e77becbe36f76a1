"""Lines of a shell: commands in order, named by their heads, with arguments, places and variables apart."""

from __future__ import annotations

from typing import Any

import pytest

from nucleate_text_memory import TextMemory
from nucleate_text_memory.recordings.happenings import Answered, AskedCall
from nucleate_text_memory.recordings.shell.parsed_lines import NotPlain, commands_in
from nucleate_text_memory.recordings.shell.shell_steps import steps_of
from nucleate_text_memory.values import StepError
from tests.text_memory.recordings.formats.reading import tasks
from tests.text_memory.recordings.formats.test_claude_code import agent, result, use, user
from tests.text_memory.runs import failed, learn, ok


def names(line: str) -> list[tuple[str, Any]]:
    ran = steps_of(AskedCall(id="c", name="Bash", arguments={"command": line}), Answered(id="c", result="x"))
    return [(step.name.removeprefix("shell."), step.arguments["arguments"]) for step in ran]


HEADS: list[tuple[str, list[tuple[str, list[str]]]]] = [
    ("git commit -m 'Fix it'", [("git commit", ["-m", "Fix it"])]),
    ("git -C app -c x.y=1 push origin main", [("git push", ["-C", "app", "-c", "x.y=1", "origin", "main"])]),
    ("npm run build -- --watch", [("npm run build", ["--", "--watch"])]),
    ("npm install", [("npm install", [])]),
    ("/usr/bin/env FOO=1 pytest", [("env", ["FOO=1", "pytest"])]),
    ("python3 -m pytest -q tests", [("python3 -m pytest", ["-q", "tests"])]),
    ("docker compose up -d", [("docker compose up", ["-d"])]),
    ("gh pr create --title 'A b'", [("gh pr create", ["--title", "A b"])]),
    ("sudo apt-get install -y jq", [("apt-get install", ["-y", "jq"])]),
    ("timeout 60 make test", [("make", ["test"])]),
    ("bash -lc 'cd app && make'", [("make", [])]),
    ("echo \"$HOME\" 'a  b'", [("echo", ['"$HOME"', "a  b"])]),
    ("ls | wc -l; pwd", [("ls", []), ("wc", ["-l"]), ("pwd", [])]),
    ("cd app", [("cd", ["app"])]),
    ("git log --oneline \\\n  -n 3", [("git log", ["--oneline", "-n", "3"])]),
]


@pytest.mark.parametrize(("line", "expected"), HEADS)
def test_a_command_is_a_function_by_its_head(line: str, expected: list[tuple[str, list[str]]]) -> None:
    assert names(line) == expected


@pytest.mark.parametrize(
    "line", ["for f in *; do rm $f; done", "if true; then ls; fi", "f() { ls; }", "echo 'open", "", "x" * 30_000]
)
def test_what_is_a_program_of_its_own_is_not_taken_apart(line: str) -> None:
    with pytest.raises(NotPlain):
        commands_in(line)


def test_places_variables_and_redirects_are_said_with_their_command() -> None:
    first, second = commands_in("export A=1 && cd app && B='x y' make all > log 2>&1 && cd sub && ls")
    assert (first.words, first.directory, first.variables) == (("make", "all"), "app", {"A": "1", "B": "x y"})
    assert (first.redirects, first.joined) == (("> log", "2>&1"), "")
    assert (second.words, second.directory, second.joined) == (("ls",), "app/sub", "&&")


def ran(line: str, error: str = "") -> list[tuple[str, Any]]:
    problem = StepError(kind="CommandFailed", message=error) if error else None
    answer = Answered(id="c", result=None if error else "out", error=problem)
    call = AskedCall(id="c", name="Bash", arguments={"command": line})
    return [
        (step.name, step.answer.error.message if step.answer.error else step.answer.result)
        for step in steps_of(call, answer)
    ]


def test_the_outcome_of_a_line_belongs_to_the_command_that_ended_it() -> None:
    assert ran("git add a && git commit -m x") == [("shell.git add", None), ("shell.git commit", "out")]
    error = "Exit code 1\nnpm ERR! code ERESOLVE"
    assert ran("npm install && make test", error) == [("shell.npm install", error)]
    assert ran("npm install && make test", "Exit code 2\nmake: no rule") == [
        ("shell.npm install", None),
        ("shell.make", "Exit code 2\nmake: no rule"),
    ]
    assert ran("for f in *; do rm $f; done") == [("shell.script", "out")]


def test_a_secret_in_a_command_is_gone_before_the_words_fall_apart() -> None:
    call = AskedCall(id="c", name="Bash", arguments={"command": "curl -u bob:abc12 https://x.test"})
    (step,) = steps_of(call, Answered(id="c", result=""))
    assert "abc12" not in str(step)


def test_what_mended_a_failing_command_is_kept_literally(memory: TextMemory) -> None:
    (task,) = tasks(
        user("Install what the site needs", "u1"),
        agent(use("t1", "Bash", command="npm install")),
        user([result("t1", "Exit code 1\nnpm error code ERESOLVE", is_error=True)]),
        agent(use("t2", "Bash", command="ls node_modules")),
        user([result("t2", "")]),
        agent(use("t3", "Bash", command="npm install --legacy-peer-deps")),
        user([result("t3", "added 40 packages")]),
    )
    assert task.steps == (
        failed("shell.npm_install", "Exit code 1\nnpm error code ERESOLVE", kind="CommandFailed", arguments=[]),
        ok("shell.ls", "", arguments=["node_modules"]),
        ok("shell.npm_install", "added 40 packages", arguments=["--legacy-peer-deps"]),
    )
    learn(memory, task)
    (pitfall,) = [entry for entry in memory.entries(scope="claude_code") if entry.kind == "pitfall"]
    assert pitfall.body == (
        "Trigger: running `npm install` in app.\nMistake: `npm install` fails here.\n"
        "Consequence: CommandFailed: Exit code <n> npm error code ERESOLVE.\n"
        "Recovery: `npm install --legacy-peer-deps` succeeded."
    )


def test_another_piece_of_work_by_the_same_program_mends_nothing(memory: TextMemory) -> None:
    (task,) = tasks(
        user("Look around", "u1"),
        agent(use("t1", "Bash", command="cat missing.txt")),
        user([result("t1", "Exit code 1\nno such file", is_error=True)]),
        agent(use("t2", "Bash", command="cat docs/guide/start.md")),
        user([result("t2", "Hello")]),
    )
    learn(memory, task)
    assert [entry for entry in memory.entries(scope="claude_code") if entry.kind == "pitfall"] == []
