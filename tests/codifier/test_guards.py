"""Guards for the run: what the policy refuses raises, and nothing else is touched."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from types import ModuleType

import pytest

import tests.codifier.constructs as folder
from nucleate_codifier.guards import guarded
from nucleate_sandbox import DockerSandbox, Module, MontySandbox
from tests.codifier.static_subject import body

ESCAPES = {
    "a subclass walk": "return len(().__class__.__base__.__subclasses__())",
    "a built name": "return len(getattr((), '__cl' + 'ass__').__name__)",
    "a variable's dictionary": "return len(vars(tool))",
    "a base class's reader": "return len(str(object.__getattribute__(n, '__class__')))",
    "a format string": "return len('{0.__class__}'.format(n))",
    "a format of a variable": "text = '{0.__class__}'\nreturn len(text.format(n))",
    "a format map": "return len('{n.__class__}'.format_map({'n': n}))",
    "an f-string": "return len(f'{n.__class__}')",
    "a generator's frame": "g = (k for k in [n])\nreturn len(g.gi_frame.f_back.f_globals)",
    "a traceback's frame": "try:\n    raise ValueError\nexcept ValueError as e:\n    return len(e.__traceback__.tb_frame.f_globals)",
    "an error's object": "try:\n    n.x\nexcept AttributeError as e:\n    return e.obj",
    "the builtins": "return len(str(__builtins__))",
    "a loader": "return len(str(__spec__.loader))",
    "text that is run": "return eval('n + 1', {'n': n})",
    "a class of a dictionary": "A = type('A', (), {'__len__': lambda self: 7})\nreturn len(A())",
    "a class by an alias": "t = type(type(n))\nreturn len(str(t('A', (), {})))",
    "a patched module": "import re\nre.sub = n\nreturn n",
    "a module's module": "import re\nreturn len(re.enum.sys.modules)",
    "a class pattern": "match n:\n    case object(__class__=c):\n        return len(str(c))\nraise AttributeError('no match')",
    "an attribute pattern": "match int:\n    case n.__class__:\n        return 1\nraise AttributeError('no match')",
    "an attribute over several lines": "return len((n\n    .__class__\n    .__mro__))",
    "a deleted attribute": "del n.x\nreturn n",
}
IMPORTS = [
    "import os",
    "import importlib",
    "from os import path",
    "from sys import (\n    modules,\n)",
    "import re, posix",
]


@pytest.mark.docker
@pytest.mark.parametrize("case", ESCAPES)
def test_a_way_out_of_the_language_raises_in_the_container(case: str, docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open() as session:
        outcome = session.call(Module(name="tool", source=guarded(body(ESCAPES[case]))), "tool", {"n": 1})
    assert outcome.failure is not None
    assert outcome.failure.kind == "AttributeError"


@pytest.mark.docker
def test_without_guards_the_container_alone_holds_the_program(docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open() as session:
        outcome = session.call(Module(name="tool", source=body(ESCAPES["a subclass walk"])), "tool", {"n": 1})
    assert outcome.ok


@pytest.mark.docker
@pytest.mark.parametrize("line", IMPORTS)
def test_an_import_off_the_list_raises_in_the_container(line: str, docker_sandbox: DockerSandbox) -> None:
    with docker_sandbox.open() as session:
        outcome = session.call(Module(name="tool", source=guarded(body(f"{line}\nreturn n"))), "tool", {"n": 1})
    assert outcome.failure is not None
    assert outcome.failure.kind == "ImportError"


@pytest.mark.docker
def test_lines_of_a_traceback_are_those_of_the_source(docker_sandbox: DockerSandbox) -> None:
    source = body("k = (\n    n\n    .__class__\n)\nreturn n")
    with docker_sandbox.open() as session:
        guard = session.call(Module(name="tool", source=guarded(source)), "tool", {"n": 1}).failure
        late = source.replace("    .__class__\n", "    .real\n").replace("return n", "return n // 0")
        plain = session.call(Module(name="tool", source=guarded(late)), "tool", {"n": 1}).failure
    assert guard is not None
    assert "line 4" in guard.traceback
    assert plain is not None
    assert "line 7" in plain.traceback


def test_the_guard_is_plain_enough_for_the_embedded_sandbox(monty_sandbox: MontySandbox) -> None:
    source = guarded(body("if n > 1:\n    return n.__class__\nreturn n"))
    with monty_sandbox.open() as session:
        fine = session.call(Module(name="tool", source=source), "tool", {"n": 1})
        stopped = session.call(Module(name="tool", source=source), "tool", {"n": 2})
    assert fine.value == 1
    assert stopped.failure is not None
    assert stopped.failure.message == "'__class__' is not allowed in a tool"


def test_what_the_policy_allows_comes_back_unchanged() -> None:
    samples = [sample for module in _modules() for sample in module.ALLOWED]
    assert [sample for sample in samples if guarded(body(sample)) != body(sample)] == []


def test_a_guarded_module_is_valid_and_keeps_its_lines() -> None:
    for module in _modules():
        for sample, _ in module.REFUSED:
            source = body(sample)
            lines = guarded(source).split("\n")
            assert ast.parse("\n".join(lines))
            assert len(lines) in {source.count("\n") + 1, source.count("\n") + 5}


def test_guarding_twice_changes_nothing_more() -> None:
    once = guarded(body("return n.__class__"))
    assert guarded(once) == once


def test_a_module_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(ValueError, match="the module cannot be guarded: not valid Python"):
        guarded("def tool(:")


def _modules() -> list[ModuleType]:
    left_out = {"test_every_node", "test_newer_syntax", "test_classes"}
    names = [found.name for found in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}.")]
    own = sorted(
        name for name in names if (last := name.rpartition(".")[2]).startswith("test_") and last not in left_out
    )
    return [importlib.import_module(name) for name in own]
