"""Calls: a fresh process each, JSON in and out, failures with the lines of the user's module."""

from __future__ import annotations

import pytest

from nucleate_sandbox import DockerSandbox, Failure, Json, Output
from tests.sandbox.docker.programs import call, module

pytestmark = pytest.mark.docker


def test_a_call_returns_the_functions_value(docker_sandbox: DockerSandbox) -> None:
    outcome = call(docker_sandbox, "def tool(a: int, b: int) -> int:\n    return a + b\n", a=2, b=3)
    assert (outcome.value, outcome.failure, outcome.limit) == (5, None, None)


@pytest.mark.parametrize("value", [None, True, 0, -1.5, "é\n\u2028", [], [1, [2]], {}, {"a": {"b": [None]}}])
def test_json_values_pass_unchanged_in_both_directions(docker_sandbox: DockerSandbox, value: Json) -> None:
    assert call(docker_sandbox, "def tool(value):\n    return value\n", value=value).value == value


def test_tuples_become_lists_and_dataclasses_objects(docker_sandbox: DockerSandbox) -> None:
    source = """
        from dataclasses import dataclass
        @dataclass
        class Offer:
            name: str
            sizes: tuple[int, ...]
        def tool():
            return Offer("shirt", (1, 2))
        """
    assert call(docker_sandbox, source).value == {"name": "shirt", "sizes": [1, 2]}


@pytest.mark.parametrize(
    ("expression", "kind", "message"),
    [
        ("{1, 2}", "TypeError", "a set is not a JSON value"),
        ("b'x'", "TypeError", "a bytes is not a JSON value"),
        ("{1: 2}", "TypeError", "a key of type int is not a JSON key; use str"),
        ("float('nan')", "ValueError", "nan is not a JSON value"),
        ("[float('inf')]", "ValueError", "inf is not a JSON value"),
        ("object", "TypeError", "a type is not a JSON value"),
    ],
)
def test_a_result_that_is_not_json_is_a_failure_that_names_it(
    docker_sandbox: DockerSandbox, expression: str, kind: str, message: str
) -> None:
    outcome = call(docker_sandbox, f"def tool():\n    return {expression}\n")
    assert (outcome.value, outcome.failure) == (None, Failure(kind=kind, message=message))


def test_an_asynchronous_function_is_awaited(docker_sandbox: DockerSandbox) -> None:
    source = "import asyncio\nasync def tool():\n    await asyncio.sleep(0)\n    return 'done'\n"
    assert call(docker_sandbox, source).value == "done"


def test_dependencies_are_called_by_name_and_load_in_order(docker_sandbox: DockerSandbox) -> None:
    one = module("def one():\n    return 1\n", name="one")
    two = module("def two():\n    return one() + 1\n", name="two")
    tool = module("def tool():\n    return [one(), two()]\n", dependencies=(one, two))
    with docker_sandbox.open() as session:
        assert session.call(tool, "tool", {}).value == [1, 2]


def test_each_module_has_a_namespace_of_its_own(docker_sandbox: DockerSandbox) -> None:
    one = module("SECRET = 1\ndef one():\n    return SECRET\n", name="one")
    tool = module("def tool():\n    return ['SECRET' in globals(), one()]\n", dependencies=(one,))
    with docker_sandbox.open() as session:
        assert session.call(tool, "tool", {}).value == [False, 1]


def test_a_traceback_holds_the_users_lines_and_nothing_of_ours(docker_sandbox: DockerSandbox) -> None:
    outcome = call(docker_sandbox, "def tool():\n    return inner()\n\ndef inner():\n    return {}['x']\n")
    assert outcome.failure == Failure(kind="KeyError", message="'x'")
    assert outcome.failure.traceback.splitlines() == [
        "Traceback (most recent call last):",
        '  File "tool.py", line 2, in tool',
        "    return inner()",
        "           ^^^^^^^",
        '  File "tool.py", line 5, in inner',
        "    return {}['x']",
        "           ~~^^^^^",
        "KeyError: 'x'",
    ]


def test_a_syntax_error_names_file_and_line(docker_sandbox: DockerSandbox) -> None:
    outcome = call(docker_sandbox, "def tool():\n    return (\n")
    assert outcome.failure == Failure(kind="SyntaxError", message="'(' was never closed (tool.py, line 2)")
    assert 'File "tool.py", line 2' in outcome.failure.traceback


def test_an_unknown_function_is_a_failure(docker_sandbox: DockerSandbox) -> None:
    outcome = call(docker_sandbox, "def other():\n    pass\n")
    assert outcome.failure == Failure(kind="NameError", message="module 'tool' has no function 'tool'")


def test_output_is_captured_apart_from_the_value(docker_sandbox: DockerSandbox) -> None:
    source = "import sys\ndef tool():\n    print('out')\n    print('err', file=sys.stderr)\n    return 1\n"
    outcome = call(docker_sandbox, source)
    assert (outcome.value, outcome.stdout, outcome.stderr) == (
        1,
        Output(text="out\n", total_bytes=4),
        Output(text="err\n", total_bytes=4),
    )


def test_an_exception_with_a_hostile_text_is_still_described(docker_sandbox: DockerSandbox) -> None:
    source = """
        class Hostile(Exception):
            def __str__(self):
                raise SystemExit(3)
        def tool():
            raise Hostile
        """
    outcome = call(docker_sandbox, source)
    assert outcome.failure == Failure(kind="Hostile", message="(the exception's text cannot be read)")


def test_nothing_of_one_call_is_there_in_the_next(docker_sandbox: DockerSandbox) -> None:
    dirty = """
        import math, os
        def tool():
            math.pi = 3
            os.umask(0)
            os.environ["LEFT"] = "1"
            os.makedirs("/tmp/a/b")
            open("/tmp/a/b/c", "w").close()
            os.symlink("/etc", "/tmp/link")
            os.chmod("/tmp/a", 0)
            if os.fork() == 0:
                os.setsid()
                while True:
                    pass
            return "dirty"
        """
    clean = """
        import math, os
        def tool():
            processes = [name for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
            return [round(math.pi, 2), os.umask(0), dict(os.environ), os.listdir("/tmp"), os.getcwd(), processes]
        """
    with docker_sandbox.open() as session:
        assert session.call(module(dirty), "tool", {}).value == "dirty"
        assert session.call(module(clean), "tool", {}).value == [3.14, 0o22, {}, [], "/tmp", []]


def test_a_process_that_a_thread_of_the_program_forks_knows_its_only_thread(docker_sandbox: DockerSandbox) -> None:
    source = """
        import os, threading
        def forked():
            pid = os.fork()
            if pid == 0:
                os._exit(7 if threading.main_thread() is threading.current_thread() else 8)
            statuses.append(os.waitpid(pid, 0)[1] >> 8)
        statuses = []
        def tool():
            thread = threading.Thread(target=forked)
            thread.start()
            thread.join()
            return statuses
        """
    assert call(docker_sandbox, source).value == [7]


def test_the_rehearsal_of_a_call_leaves_nothing_behind(docker_sandbox: DockerSandbox) -> None:
    source = """
        import gc, linecache, os, sys
        def tool():
            modules = [item for item in gc.get_objects() if isinstance(item, dict) and {"rehearsal", "env"} <= set(item)]
            return [sorted(linecache.cache), "rehearsal" in sys.modules, len(os.listdir("/tmp")), len(modules)]
        """
    assert call(docker_sandbox, source).value == [["tool.py"], False, 0, 0]


def test_each_call_has_random_numbers_of_its_own(docker_sandbox: DockerSandbox) -> None:
    drawn = [call(docker_sandbox, "import random\ndef tool():\n    return random.random()\n").value for _ in range(4)]
    assert len(set(map(str, drawn))) == 4
