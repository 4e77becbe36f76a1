"""Checkers: source that is built to break what reads it ends as an error of its own, in the sandbox and never on the host."""

from __future__ import annotations

from nucleate_sandbox import Json, Limit, Limits, Module
from tests.sandbox.escapes.attacks import Call, Suite, loaded
from tests.sandbox.escapes.case import Expect, Program, fails, gives, hits

BRIEF = Limits(wall_seconds=20.0, cpu_seconds=2.0)
HEAD = "def tool():\n    return "


def _bomb(name: str, tries: str, expression: str, docker: Expect, twin: str, value: Json) -> Program:
    """Return a module whose function returns an expression that is hard to read."""
    return loaded(name, tries, f"{HEAD}{expression}\n", docker, f"{HEAD}{twin}\n", value)


TOO_DEEP: Expect = (*fails("SyntaxError", "RecursionError", "ProcessKilled"), *hits(Limit.MEMORY))
BOMBS = (
    _bomb("nested parentheses", "parentheses that overflow the parser", "(" * 5000 + "1" + ")" * 5000, fails("SyntaxError"), "((((1))))", 1),
    _bomb("nested lists", "lists that overflow the parser", "[" * 5000 + "]" * 5000, fails("SyntaxError"), "[[[]]]", [[[]]]),
    _bomb("unary chain", "a chain of minus signs", "-" * 50000 + "1", TOO_DEEP, "--1", 1),
    _bomb("not chain", "a chain of negations", "not " * 50000 + "1", TOO_DEEP, "not not 1", True),
    _bomb("lambda chain", "functions in functions", "lambda: " * 20000 + "1", TOO_DEEP, "(lambda: 1)()", 1),
    _bomb("attribute chain", "a chain of attributes", "env" + ".a" * 50000, TOO_DEEP, "repr(env.a.a)", "env.a.a"),
    _bomb("call chain", "a chain of calls", "tool" + "()" * 50000, TOO_DEEP, "str(str())", ""),
    _bomb("index chain", "a chain of indices", "tool" + "[0]" * 50000, TOO_DEEP, "[[7]][0][0]", 7),
    _bomb("power chain", "a chain that binds to the right", "1" + "**1" * 20000, TOO_DEEP, "2 ** 1 ** 1", 2),
    _bomb("sum chain", "a chain that binds to the left", "1" + "+1" * 100000, TOO_DEEP, "1 + 1 + 1", 3),
    _bomb("conditional chain", "conditions in conditions", "1 if 1 else " * 20000 + "1", TOO_DEEP, "1 if 1 else 2", 1),
    _bomb("comprehension chain", "a comprehension of many loops", "[1 " + "for _ in [1] " * 5000 + "]", (*gives([1]), *TOO_DEEP), "[1 for _ in [1] for _ in [1]]", [1]),
    _bomb("f-string nest", "texts in texts", "f'{" * 100 + "1" + "}'" * 100, fails("SyntaxError"), "f'{1}'", "1"),
    _bomb("constant power", "a power that a reader would compute", "len(str(9 ** 9 ** 9 ** 9)) if 0 else 1", gives(1), "9 ** 2", 81),
    _bomb("constant repetition", "a text that a reader would build", "len('x' * 10 ** 12) if 0 else 1", gives(1), "len('x' * 10)", 10),
    _bomb("constant shift", "a shift that a reader would compute", "(1 << 10 ** 12) if 0 else 1", gives(1), "1 << 4", 16),
    _bomb("literal of a million digits", "an integer that a reader would convert", "9" * 1000000, fails("SyntaxError"), "9" * 20, 99999999999999999999),
    _bomb("literal in hexadecimal", "an integer of a million digits to another base", "0x" + "f" * 1000000, fails("ValueError"), "0xff", 255),
    _bomb("text of a megabyte", "a text that fills the traceback", "1 / 0, '" + "x" * (1 << 20) + "'", fails("ZeroDivisionError"), "'" + "x" * 50 + "'", "x" * 50),
    _bomb("names of characters", "characters by their longest names", "'" + "\\N{ARABIC LIGATURE UIGHUR KIRGHIZ YEH WITH HAMZA ABOVE WITH ALEF MAKSURA ISOLATED FORM}" * 2000 + "'[0]", gives("ﯹ"), "'\\N{DIGIT ONE}'", "1"),
    _bomb("escape that warns", "escapes that make a reader warn for ever", "'" + "\\q" * 50000 + "'[:2]", gives("\\q"), "'\\\\q'", "\\q"),
)  # fmt: skip

LINES = (
    loaded("nested blocks", "blocks in blocks", "def tool():\n" + "".join(" " * n + "if 1:\n" for n in range(1, 101)) + " " * 101 + "return 1\n", fails("IndentationError", "SyntaxError"), "def tool():\n if 1:\n  if 1:\n   return 1\n", 1),
    loaded("nested loops", "loops in loops, more than there is room for", "def tool():\n" + "".join(" " * n + "for _ in [1]:\n" for n in range(1, 31)) + " " * 31 + "return 1\n", fails("SyntaxError"), "def tool():\n for _ in [1]:\n  for _ in [1]:\n   return 1\n", 1),
    loaded("nested functions", "functions in functions", "def tool():\n" + "".join(" " * n + "def f():\n" for n in range(1, 99)) + " " * 99 + "return 1\n", gives(None), "def tool():\n def f():\n  return 1\n return f()\n", 1, BRIEF),
    loaded("many lines", "a hundred thousand statements", "def tool():\n" + "    x = 1\n" * 100000 + "    return x\n", gives(1), "def tool():\n    x = 1\n    x = 1\n    return x\n", 1),
    loaded("many names", "a hundred thousand names", "".join(f"a{n} = {n}\n" for n in range(50000)) + "def tool():\n    return a7\n", gives(7), "a7 = 7\ndef tool():\n    return a7\n", 7),
    loaded("many arguments", "ten thousand parameters", f"def tool({', '.join(f'a{n}=0' for n in range(10000))}):\n    return a9999\n", gives(0), "def tool(a=0, b=1):\n    return b\n", 1),
    loaded("many decorators", "two thousand decorators", "".join("@(lambda f: f)\n" for _ in range(2000)) + "def tool():\n    return 1\n", (*gives(1), *TOO_DEEP), "@(lambda f: f)\n@(lambda f: f)\ndef tool():\n    return 1\n", 1),
    loaded("many branches", "a chain of ten thousand branches", "def tool():\n    x = -1\n    if x == 0: return 0\n" + "".join(f"    elif x == {n}: return {n}\n" for n in range(10000)) + "    return 1\n", (*gives(1), *TOO_DEEP), "def tool():\n    x = 2\n    if x == 0: return 0\n    elif x == 2: return 1\n", 1),
    loaded("many patterns", "a pattern of ten thousand alternatives", "def tool():\n    match 1:\n        case " + " | ".join(map(str, range(10000))) + ":\n            return 1\n", (*gives(1), *TOO_DEEP), "def tool():\n    match 1:\n        case 0 | 1:\n            return 1\n", 1),
    loaded("source of megabytes", "three megabytes of comments", "#" + "x" * (3 << 20) + "\ndef tool():\n    return 1\n", gives(1), "# x\ndef tool():\n    return 1\n", 1),
    loaded("no end of line", "source that ends in the middle of a text", "def tool():\n    return '''x", fails("SyntaxError"), "def tool():\n    return '''x'''", "x"),
    loaded("mixed indentation", "tabs and spaces that read in two ways", "def tool():\n        if 0:\n\t    return 2\n        return 1\n", fails("TabError", "IndentationError"), "def tool():\n\tif 0:\n\t\treturn 2\n\treturn 1\n", 1),
    loaded("type comments", "comments that switch a checker off", "# type: ignore\n# mypy: ignore-errors\n# pyright: basic\n# ruff: noqa\ndef tool() -> int:  # type: ignore\n    return 'text'  # noqa\n", gives("text"), "# a comment\ndef tool() -> str:\n    return 'text'\n", "text"),
    loaded("cast", "a value whose type is only said", "from typing import cast\ndef tool() -> int:\n    return cast(int, 'text')\n", gives("text"), "from typing import cast\ndef tool() -> int:\n    return cast(int, 4)\n", 4),
    loaded("code for the checker alone", "code that a checker reads and nobody runs", "from typing import TYPE_CHECKING\nif not TYPE_CHECKING:\n    def tool():\n        return 'run'\nelse:\n    def tool():\n        return 'read'\n", gives("run"), "from typing import TYPE_CHECKING\ndef tool():\n    return TYPE_CHECKING\n", False),
    loaded("declared requirements", "declare packages that confuse an installer", "# /// script\n# dependencies = ['--index-url=http://169.254.169.254/', 'x @ file:///etc/passwd', '../..']\n# ///\nimport sys\ndef tool():\n    return 'pip' in sys.modules\n", gives(False), "# /// script\n# dependencies = []\n# ///\nimport sys\ndef tool():\n    return 'sys' in sys.modules\n", True),
)  # fmt: skip


def _module(name: str, tries: str, module: str, source: str, docker: Expect, twin: str, value: Json) -> Program:
    """Return a program whose module has a name that means something; its twin has a plain one."""
    return Program(
        name=name, tries=tries, attack=Call(source=source, name=module), docker=docker, twin=Call(source=twin, name="plain"), value=value
    )  # fmt: skip


USES = "import {0}\ndef tool():\n    return {0}.__name__\n"
NAMES = (
    _module("module named json", "a module named like one of the standard library", "json", "def dumps(x):\n    return 'forged'\ndef tool():\n    import json\n    return json.dumps(1)\n", gives("1"), "import json\ndef tool():\n    return json.dumps(1)\n", "1"),
    _module("module named os", "a module named like one that the harness uses", "os", USES.format("os"), gives("os"), "import os\ndef tool():\n    return os.name\n", "posix"),
    _module("module named builtins", "a module named like that of the builtins", "builtins", "def len(x):\n    return 9\ndef tool():\n    return len([])\n", gives(9), "def tool():\n    return len([])\n", 0),
    _module("module named like the harness", "a module named like the server", "nucleate_guest", "def tool():\n    import nucleate_guest\n    return nucleate_guest.__name__\n", gives("nucleate_guest"), "def tool():\n    return __name__\n", "plain"),
    _module("module named __main__", "a module that believes to be the program", "__main__", "seen = __name__ == '__main__'\ndef tool():\n    return seen\n", gives(False), "def tool():\n    return __name__ == '__main__'\n", False),
    _module("module named by a path", "a module whose name is a path", "../../etc/x", "def tool():\n    1 / 0\n", fails("ZeroDivisionError"), "def tool():\n    return 1 // 1\n", 1),
    _module("module without a name", "a module whose name is empty", "", "def tool():\n    return __name__\n", gives(""), "def tool():\n    return __name__\n", "plain"),
    _module("module with a line in its name", "a name that forges lines of a traceback", "x.py\nTraceback", "def tool():\n    1 / 0\n", fails("ZeroDivisionError"), "def tool():\n    return 1 / 1\n", 1.0),
    Program(name="library named json", tries="a library function that takes a module's place", attack=Call(source="def tool():\n    import json as j\n    return [j.dumps(1), json()]\n", dependencies=(Module(name="json", source="def json():\n    return 'library'\n"),)), docker=gives(["1", "library"]),
            twin=Call(source="def tool():\n    return text()\n", dependencies=(Module(name="text", source="def text():\n    return 'library'\n"),)), value="library"),
    Program(name="library named env", tries="a library function that takes the environment's place", attack=Call(source="def tool():\n    return repr(env)\n", dependencies=(Module(name="env", source="def env():\n    return 'forged'\n"),)), docker=gives("env"),
            twin=Call(source="def tool():\n    return other()\n", dependencies=(Module(name="other", source="def other():\n    return 'own'\n"),)), value="own"),
)  # fmt: skip


def _host(name: str, tries: str, source: str, docker: Expect) -> Program:
    """Return a tool whose source the host itself reads, for the names of its parameters, before a suite runs."""
    text = "def test_a():\n    tool()\n"
    return Program(
        name=name, tries=tries, attack=Suite(files={"test_a.py": text}, source=source), docker=docker,
        twin=Suite(files={"test_a.py": text}), value={"test_a": "passed"},
    )  # fmt: skip


FAILED: Expect = (
    *gives({"test_a": "SyntaxError"}),
    *gives({"test_a": "ToolError"}),
    *gives({"test_a": "RecursionError"}),
    *gives({"test_a": "MemoryError"}),
    *gives({"test_a": "AttributeError"}),
)
ON_HOST = (
    _host("nesting for the host", "overflow the host's parser", HEAD + "(" * 50000 + "1" + ")" * 50000 + "\n", FAILED),
    _host("attributes for the host", "overflow the stack of the host's parser", HEAD + "env" + ".a" * 100000 + "\n", FAILED),
    _host("signs for the host", "overflow the host's parser by signs", HEAD + "-" * 100000 + "1\n", FAILED),
    _host("sums for the host", "overflow the host's tree", HEAD + "1" + "+1" * 200000 + "\n", FAILED),
    _host("null byte for the host", "end the host's parser early", "def tool():\n    return 1\0\n", FAILED),
    _host("half a character for the host", "source that no encoding has", "def tool():\n    return '\ud800'\n", fails("SyntaxError")),
)  # fmt: skip
TESTS = (
    Program(name="nesting in a test file", tries="overflow the parser of the test files", attack=Suite(files={"test_a.py": "x = " + "(" * 5000 + ")" * 5000 + "\ndef test_a():\n    pass\n"}), docker=fails("CollectionError"),
            twin=Suite(files={"test_a.py": "x = (())\ndef test_a():\n    pass\n"}), value={"test_a": "passed"}),
    Program(name="many tests", tries="a suite of ten thousand tests", attack=Suite(files={"test_a.py": "import pytest\n@pytest.mark.parametrize('n', range(10 ** 6))\ndef test_a(n):\n    pass\n"}), docker=(*hits(Limit.WALL, Limit.CPU, Limit.MEMORY), *fails("MemoryError")),
            twin=Suite(files={"test_a.py": "import pytest\n@pytest.mark.parametrize('n', range(2))\ndef test_a(n):\n    pass\n"}), value={"test_a[0]": "passed", "test_a[1]": "passed"}),
    Program(name="encoding of a test file", tries="another encoding for a test file", attack=Suite(files={"test_a.py": "# -*- coding: utf-7 -*-\ndef test_a():\n    assert '+AGE-' == 'a'\n"}), docker=(*gives({"test_a": "AssertionError"}), *gives({"test_a": "passed"})),
            twin=Suite(files={"test_a.py": "# -*- coding: utf-8 -*-\ndef test_a():\n    assert 'é' == 'é'\n"}), value={"test_a": "passed"}),
)  # fmt: skip
PROGRAMS = (*BOMBS, *LINES, *NAMES, *ON_HOST, *TESTS)
