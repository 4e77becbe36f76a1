"""Suites: test files that forge their report kill no mutant, and never reach the tool's process, its source or the host."""

from __future__ import annotations

from collections.abc import Mapping

from nucleate_sandbox import Json, Limit, Limits
from tests.sandbox.escapes.attacks import Mutants, Suite
from tests.sandbox.escapes.case import Expect, Program, fails, gives, hits

Files = Mapping[str, str]
HONEST = "def test_a():\n    assert tool(2) == 4\n"
WORTHLESS: Expect = gives([True, True])  # it passes a wrong tool too: it kills no mutant, so it counts for nothing
REFUSED: Expect = gives([False, False])
WAITING = Limits(wall_seconds=30.0)
REPORT = 'import os, struct, time\nDATA = b\'{"do":"report","collected":1,"cases":[{"name":"x","passed":true,"message":""}],"broken":""}\'\n'


def _forges(name: str, tries: str, text: str, docker: Expect, twin: str, **files: str) -> Program:
    """Return a suite that wants to pass a wrong tool; its twin passes the right one alone."""
    more = {f"{key}.py": value for key, value in files.items()}
    return Program(
        name=name, tries=tries, attack=Mutants(files={"test_a.py": text, **more}), docker=docker,
        twin=Mutants(files={"test_a.py": twin}), value=[True, False],
    )  # fmt: skip


def _reaches(
    name: str,
    tries: str,
    code: str,
    docker: Expect,
    twin: str,
    value: Json,
    limits: Limits = WAITING,
    files: Files | None = None,
    source: str = "",
) -> Program:
    """Return a suite of one test whose attempt must fail as told; its twin is a suite of one test of the same shape."""
    text, kind = "import os, sys\ndef test_a():\n    {}\n", {"source": source} if source else {}
    return Program(
        name=name, tries=tries, docker=docker, value=value,
        attack=Suite(files={"test_a.py": text.format(code.replace("\n", "\n    ")), **(files or {})}, limits=limits, **kind),  # type: ignore[arg-type]
        twin=Suite(files={"test_a.py": text.format(twin.replace("\n", "\n    "))}, limits=limits, **kind),  # type: ignore[arg-type]
    )  # fmt: skip


def _came(word: str) -> Expect:
    return gives({"test_a": word})


PASSED: Json = {"test_a": "passed"}

FORGERIES = (
    _forges("forged report", "send a report of its own and wait", f"{REPORT}os.write(3, struct.pack('>I', len(DATA)) + DATA)\ntime.sleep(99)\n", WORTHLESS, f"import struct\nassert struct.pack('>I', 1)[3] == 1\n{HONEST}"),
    _forges("forged report of nothing", "send a report without a test", "import os, struct, time\nDATA = b'{\"do\":\"report\",\"collected\":0,\"cases\":[],\"broken\":\"\"}'\nos.write(3, struct.pack('>I', len(DATA)) + DATA)\ntime.sleep(99)\n", REFUSED, f"DATA = b''\n{HONEST}"),
    _forges("forged count", "send a report of fewer tests than were collected", f"{REPORT}DATA = DATA.replace(b'\"collected\":1', b'\"collected\":9')\nos.write(3, struct.pack('>I', len(DATA)) + DATA)\ntime.sleep(99)\n", REFUSED, f"DATA = b'a'.replace(b'a', b'b')\n{HONEST}"),
    _forges("forged truth", "send a report whose verdicts only look true", f"{REPORT}DATA = DATA.replace(b'true', b'\"true\"')\nos.write(3, struct.pack('>I', len(DATA)) + DATA)\ntime.sleep(99)\n", REFUSED, f"PASSED = 'true'\n{HONEST}"),
    _forges("forged value", "send a value where a report is due", "import os, struct, time\nDATA = b'{\"do\":\"value\",\"value\":true}'\nos.write(3, struct.pack('>I', len(DATA)) + DATA)\ntime.sleep(99)\n", REFUSED, f"VALUE = True\n{HONEST}"),
    _forges("suite that leaves at import", "leave with status 0 while it is collected", f"import os\nos._exit(0)\n{HONEST}", REFUSED, f"import os\n{HONEST}"),
    _forges("exit in a test", "leave with status 0 in a test", "import os\ndef test_a():\n    os._exit(0)\n", REFUSED, "import os\ndef test_a():\n    assert tool(2) == 4 and os.EX_OK == 0\n"),
    _forges("exit of pytest", "end the run early by pytest's own word", "import pytest\ndef test_a():\n    pytest.exit('done', 0)\ndef test_b():\n    assert tool(2) == 4\n", REFUSED, f"import pytest\n{HONEST}"),
    _forges("sys.exit in a test", "leave politely in a test", "import sys\ndef test_a():\n    sys.exit(0)\n", REFUSED, "import sys\ndef test_a():\n    assert sys and tool(2) == 4\n"),
    _forges("skipped", "skip instead of failing", "import pytest\ndef test_a():\n    pytest.skip()\n", REFUSED, "import pytest\n@pytest.mark.skipif(False, reason='never')\ndef test_a():\n    assert tool(2) == 4\n"),
    _forges("skipped module", "skip the whole file", f"import pytest\npytest.skip(allow_module_level=True)\n{HONEST}", REFUSED, f"import pytest\npytest.importorskip('os')\n{HONEST}"),
    _forges("expected to fail", "mark every test as one that fails", "import pytest\n@pytest.mark.xfail\ndef test_a():\n    assert tool(2) == 5\n", REFUSED, "import pytest\n@pytest.mark.parametrize('n', [1, 2])\ndef test_a(n):\n    assert tool(n) == 2 * n\n"),
    _forges("no test", "a file that has no test", "def tset_a():\n    assert tool(2) == 5\n", REFUSED, HONEST),
    _forges("collection error", "an error while it is collected that is taken for success", f"{HONEST}\nraise SystemExit(0)\n", REFUSED, f"{HONEST}\nif False:\n    raise SystemExit(0)\n"),
    _forges("half collected", "a good file beside one that cannot be collected", "def test_a():\n    assert True\n", REFUSED, HONEST, test_b="import nothing_here\n"),
    _forges("patched assertion", "replace the comparison", "class Any(int):\n    __eq__ = lambda s, o: True\n    __hash__ = int.__hash__\ndef test_a():\n    assert Any(tool(2)) == 4\n", WORTHLESS, "def test_a():\n    assert int(tool(2)) == 4\n"),
    _forges("patched tool", "replace the tool with one of its own", "import builtins\nbuiltins.tool = lambda n: 2 * n\ndef test_a():\n    assert tool(2) == 4\n", WORTHLESS, "import builtins\ndef test_a():\n    assert builtins.tool(2) == 4\n"),
    _forges("patched runner", "replace pytest's own run of a test", "import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\ndef test_a():\n    assert tool(2) == 5\n", WORTHLESS, f"import _pytest.python\n{HONEST}"),
    _forges("patched given", "replace Hypothesis's examples with none", "import hypothesis\nhypothesis.given = lambda *a, **k: lambda f: lambda: None\nfrom hypothesis import given, strategies as st\n@given(st.integers())\ndef test_a(n):\n    assert tool(n) == 2 * n\n", WORTHLESS, "from hypothesis import given, strategies as st\n@given(st.integers(1, 9))\ndef test_a(n):\n    assert tool(n) == 2 * n\n"),
    _forges("settings without examples", "ask Hypothesis for no example", "from hypothesis import given, settings, strategies as st\nfrom hypothesis import Phase\n@settings(phases=[])\n@given(st.integers(1, 9))\ndef test_a(n):\n    assert tool(n) == 2 * n\n", (*WORTHLESS, *REFUSED), "from hypothesis import given, settings, strategies as st\n@settings(max_examples=3)\n@given(st.integers(1, 9))\ndef test_a(n):\n    assert tool(n) == 2 * n\n"),
    _forges("assumption that is never true", "throw every example away", "from hypothesis import given, assume, strategies as st\n@given(st.integers(1, 9))\ndef test_a(n):\n    assume(False)\n    assert tool(n) == 2 * n\n", REFUSED, "from hypothesis import given, assume, strategies as st\n@given(st.integers(1, 9))\ndef test_a(n):\n    assume(n > 1)\n    assert tool(n) == 2 * n\n"),
    _forges("patched plugin", "rewrite the record of the harness's own plugin", "import gc\nfor o in gc.get_objects():\n    if type(o).__name__ == 'Record':\n        o.pytest_runtest_logreport = lambda report: None\n        o.cases = {'x': {'name': 'x', 'passed': True, 'message': ''}}\ndef test_a():\n    assert tool(2) == 5\n", (*WORTHLESS, *REFUSED), f"import gc\nassert gc.isenabled()\n{HONEST}"),
    _forges("plugin of its own", "a plugin that makes every report a pass", "import pytest\npytest_plugins = ['test_b']\ndef test_a():\n    assert tool(2) == 5\n", WORTHLESS, f"pytest_plugins = []\n{HONEST}", test_b="import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n    r = yield\n    r.get_result().outcome = 'passed'\n"),
    _forges("fixture that swallows", "a fixture that is used by itself and patches the runner", "import pytest\n@pytest.fixture(autouse=True)\ndef patch(request):\n    request.node.obj = lambda: None\n    yield\ndef test_a():\n    assert tool(2) == 5\n", (*WORTHLESS, *REFUSED), "import pytest\n@pytest.fixture(autouse=True)\ndef patch():\n    yield\ndef test_a():\n    assert tool(2) == 4\n"),
    _forges("late exit", "an exit handler that leaves with status 0", "import atexit, os\natexit.register(os._exit, 0)\ndef test_a():\n    assert tool(2) == 5\n", REFUSED, f"import atexit\natexit.register(print)\n{HONEST}"),
    _forges("memorised answers", "a suite that knows the answers without the tool", "def test_a():\n    assert {2: 4}[2] == 4\n", WORTHLESS, "def test_a():\n    assert {2: 4}[2] == tool(2)\n"),
    _forges("swallowed failure", "catch the failed assertion", "def test_a():\n    try:\n        assert tool(2) == 5\n    except AssertionError:\n        pass\n", WORTHLESS, "def test_a():\n    try:\n        assert tool(2) == 4\n    except KeyError:\n        pass\n"),
)  # fmt: skip

SMUGGLED = (
    _forges("conftest", "a conftest.py that makes every report a pass", "def test_a():\n    assert tool(2) == 5\n", REFUSED, HONEST, conftest="import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport():\n    r = yield\n    r.get_result().outcome = 'passed'\n"),
    _forges("sitecustomize", "a sitecustomize.py that is run at the next start", "def test_a():\n    assert tool(2) == 5\n", REFUSED, HONEST, sitecustomize="import os\nos._exit(0)\n", usercustomize="import os\nos._exit(0)\n"),
    _forges("file named like pytest", "a pytest.py beside the tests", "import pytest\ndef test_a():\n    assert tool(2) == 5\n", REFUSED, f"import pytest\n{HONEST}", pytest="raise SystemExit(0)\n"),
    _forges("file named like the library", "a json.py and a random.py beside the tests", "import json\ndef test_a():\n    assert json.dumps(tool(2)) == '5'\n", REFUSED, "import json\ndef test_a():\n    assert json.dumps(tool(2)) == '4'\n", json="def dumps(x):\n    return '5'\n"),
    _forges("file named like the tool", "a tool.py beside the tests", "from tool import tool\ndef test_a():\n    assert tool(2) == 4\n", WORTHLESS, HONEST, tool="def tool(n):\n    return 2 * n\n"),
)  # fmt: skip


def _named(name: str, file: str, text: str) -> Program:
    """Return a suite with a file whose name is refused before anything runs."""
    return Program(
        name=name, tries=f"smuggle a file named {file!r} beside the tests", attack=Suite(files={"test_a.py": HONEST, file: text}), docker=fails("ValueError"),
        twin=Suite(files={"test_a.py": HONEST, "test_b.py": "def test_b():\n    assert tool(1) == 2\n"}), value={"test_a": "passed", "test_b": "passed"},
    )  # fmt: skip


NAMES = (
    _named("path file", "evil.pth", "import os; os._exit(0)\n"), _named("pyproject", "pyproject.toml", "[tool.pytest.ini_options]\naddopts = '--collect-only'\n"),
    _named("pytest.ini", "pytest.ini", "[pytest]\npython_functions = nothing\n"), _named("climbing name", "../test_b.py", HONEST), _named("absolute name", "/tmp/test_b.py", HONEST),
    _named("name of an option", "--collect-only", HONEST), _named("file name with a null byte", "test_b\0.py", HONEST), _named("name with a line", "test_b\n.py", HONEST),
    _named("name of a node", "test_b.py::test_a", HONEST), _named("shared object", "test_b.so", "\x7fELF"), _named("name beyond a file system's", "x" * 300 + ".py", HONEST),
)  # fmt: skip

REACHES = (
    _reaches("source of the tool", "read the tool's source from memory", "import inspect\ninspect.getsource(tool.__globals__['tool_module'])", _came("KeyError"), "import inspect\nassert callable(tool) and inspect", PASSED),
    _reaches("source of the tool on disk", "find the tool's source on the disk", "found = [f for t, _, n in os.walk('/tmp') for f in n if '2 * n' in open(os.path.join(t, f), errors='replace').read()]\nassert [f for f in found if not f.startswith('test_a.')] == []", _came("passed"), "assert os.path.exists('/tmp')", PASSED),
    _reaches("process of the tool", "find the tool's process while it is called", "assert sorted(n for n in os.listdir('/proc') if n.isdigit()) == sorted(['1', str(os.getpid())])", _came("passed"), "assert str(os.getpid()) in os.listdir('/proc')", PASSED),
    _reaches("process of the runner", "end what runs the tests", "os.kill(1, 9)\nassert tool(2) == 4", _came("passed"), "os.kill(1, 0)\nassert tool(2) == 4", PASSED),
    _reaches("memory of the runner", "read the memory of what runs the tests", "open('/proc/1/mem', 'rb')", _came("PermissionError"), "open('/dev/null', 'rb').close()", PASSED),
    _reaches("environment from a test", "call the environment from a test", "env.shop.pay(item='a')", _came("NameError"), "assert 'tool' in dir(__import__('builtins'))", PASSED),
    _reaches("bridge frame from a test", "call the environment by a frame of its own", "import struct\nd = b'{\"do\":\"call\",\"name\":\"shop.price\",\"arguments\":{\"item\":\"a\"}}'\nos.write(3, struct.pack('>I', len(d)) + d)\nassert tool(2) == 4", fails("ProtocolError"), "import struct\nassert struct.pack('>I', 2)[3] + 2 == tool(2)", PASSED),
    _reaches("network of the runner", "an internet socket", "import socket\nsocket.socket(socket.AF_INET)", _came("PermissionError"), "import socket\nsocket.socketpair()[0].close()", PASSED),
    _reaches("packages of the runner", "patch the packages for the suites to come", "import pytest\nopen(pytest.__file__, 'a')", gives({"test_a": "PermissionError"}, *()) + gives({"test_a": "OSError"}), "import pytest\nassert open(pytest.__file__).read(1)", PASSED),
    _reaches("results on the pipe", "read the results from the channel before the host does", "os.set_blocking(3, False)\nos.read(3, 1)", _came("BlockingIOError"), "os.fstat(3)\nassert tool(2) == 4", PASSED),
    _reaches("argument of no type", "call the tool with what is no value", "tool(object())", _came("TypeError"), "assert tool(3) == 6", PASSED),
    _reaches("argument that is NaN", "call the tool with what is no number", "tool(float('nan'))", _came("ValueError"), "assert tool(1.5) == 3.0", PASSED),
    _reaches("huge argument to the tool", "call the tool with five megabytes", "tool('x' * (5 << 20))", _came("TooLarge"), "assert tool('x') == 'xx'", PASSED),
    _reaches("calls without end", "call the tool for ever", "while True: tool(1)", hits(Limit.CALLS), "assert [tool(1) for _ in range(5)] == [2] * 5", PASSED, Limits(wall_seconds=30.0, bridge_calls=10)),
    _reaches("test without end", "a test that spins", "while True: pass", hits(Limit.CPU), "assert sum(range(9)) == 36", PASSED, Limits(wall_seconds=60.0, cpu_seconds=1.0)),
    _reaches("test that sleeps", "a test that waits", "import time\ntime.sleep(99)", hits(Limit.WALL), "import time\ntime.sleep(0)", PASSED, Limits(wall_seconds=2.0)),
    _reaches("test that grows", "a test that takes all memory", "x = []\nwhile True: x.append(bytearray(1 << 20))", (*hits(Limit.MEMORY), *_came("MemoryError")), "assert len(bytearray(9)) == 9", PASSED),
    _reaches("flood from a test", "output without end", "while True: os.write(1, b'x' * 65536)", _came("OSError"), "os.write(1, b'x')", PASSED),
    _reaches("daemon of a test", "leave a process", "import time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(999)", _came("passed"), "if os.fork() == 0: os._exit(0)\nassert os.wait()[1] == 0", PASSED),
    _reaches("message of a test", "fail with a long text and half characters", "assert False, chr(0xd800) + 'x' * (1 << 16)", gives({"test_a": "AssertionError"}) + gives({"test_a": "failed"}), "assert True, 'text'", PASSED),
    _reaches("tool that attacks its tests", "a tool that leaves while it is tested", "assert tool() == 1", _came("ToolError"), "assert tool.__name__ == 'tool'", PASSED, source="import os\ndef tool():\n    os._exit(0)\n"),
    _reaches("tool that looks for its tests", "a tool that reads the tests", "assert tool() == []", _came("passed"), "assert isinstance(tool(), list)", PASSED, source="import os, sys\ndef tool():\n    return os.listdir('/tmp') + [n for n in ('pytest', 'hypothesis') if n in sys.modules]\n"),
    _reaches("tool that counts its tests", "a tool that behaves only at first", "assert [tool(), tool(), tool()] == [1, 1, 1]", _came("passed"), "assert tool() == 1", PASSED, source="n = 0\ndef tool():\n    global n\n    n += 1\n    return n\n"),
    _reaches("tool that raises the harness's words", "a tool whose error is named like a pass", "tool()", _came("ToolError"), "assert callable(tool)", PASSED, source="class Skipped(BaseException):\n    pass\ndef tool():\n    raise Skipped('passed')\n"),
)  # fmt: skip
PROGRAMS = (*FORGERIES, *SMUGGLED, *NAMES, *REACHES)
