"""Forgery: a frame of one's own making, an early exit, an answer for another: none of them is believed."""

from __future__ import annotations

from nucleate_sandbox import Json, Limit, Limits, Module
from tests.sandbox.escapes.attacks import Blocks, Call, called, loaded
from tests.sandbox.escapes.case import QUICK, SHORT, Ending, Expect, Program, fails, gives, hits, program

BROKEN: Expect = fails("ProtocolError")
PATIENT = Limits(wall_seconds=2.0)
SPINNING = Limits(wall_seconds=30.0, cpu_seconds=0.5)
SEND = "import os, struct\ndef send(data):\n    data = struct.pack('>I', len(data)) + data\n    while data: data = data[os.write(3, data):]\n"
SIZE = "import json, struct\ndef tool():\n    data = {}\n    return len(struct.pack('>I', len(data)) + data)\n"


def _frame(name: str, tries: str, text: str, docker: Expect = BROKEN) -> Program:
    """Return a program that sends a frame of its own, then waits; its twin makes the frame and keeps it."""
    return Program(
        name=name,
        tries=tries,
        attack=Call(source=f"{SEND}import time\ndef tool():\n    send({text})\n    time.sleep(60)\n"),
        docker=docker,
        twin=Call(source=SIZE.format(text)),
        value=4 + len(eval(text)),
    )


FRAMES = (
    _frame("no JSON", "a frame that is no JSON", "b'{]'"), _frame("empty frame", "a frame without a byte", "b''"), _frame("a list", "a frame that is no object", "b'[]'"),
    _frame("a text", "a frame that is a text", "b'\"value\"'"), _frame("null", "a frame that is nothing", "b'null'"), _frame("two values", "two messages in a frame", "b'{\"do\":\"value\",\"value\":1}{\"do\":\"value\",\"value\":2}'"),
    _frame("NaN frame", "a value that is no number", "b'{\"do\":\"value\",\"value\":NaN}'"), _frame("minus Infinity frame", "a value without bound", "b'{\"do\":\"value\",\"value\":-Infinity}'"),
    _frame("infinite frame", "a number beyond every float", "b'{\"do\":\"value\",\"value\":1e999}'"), _frame("duplicate keys", "a frame with a key twice", "b'{\"do\":\"value\",\"do\":\"failure\"}'"),
    _frame("duplicate keys inside", "a value with a key twice", "b'{\"do\":\"value\",\"value\":[{\"a\":1,\"a\":2}]}'"), _frame("duplicate keys by an escape", "a key twice, written in two ways", "b'{\"do\":\"value\",\"value\":{\"a\":1,\"\\\\u0061\":2}}'"),
    _frame("invalid UTF-8", "a frame that is no text", "b'{\"do\":\"\\xff\"}'"), _frame("UTF-16 frame", "a frame in another encoding", "'{\"do\":\"value\",\"value\":1}'.encode('utf-16')"),
    _frame("frame with a byte order mark", "a frame that begins with a byte order mark", "b'\\xef\\xbb\\xbf{\"do\":\"value\",\"value\":1}'"), _frame("surrogate frame", "half a character", "b'{\"do\":\"value\",\"value\":\"\\\\ud800\"}'"),
    _frame("surrogate key", "half a character in a key", "b'{\"do\":\"value\",\"value\":{\"\\\\udfff\":1}}'"), _frame("null byte frame", "a null byte between the tokens", "b'{\"do\":\\x00\"value\"}'"),
    _frame("deep frame", "JSON nested 100,000 deep", "b'{\"do\":\"value\",\"value\":' + b'[' * 100000 + b']' * 100000 + b'}'"), _frame("deep objects", "objects nested 10,000 deep", "b'{\"do\":\"value\",\"value\":' + b'{\"a\":' * 10000 + b'1' + b'}' * 10001"),
    _frame("frame just too deep", "JSON nested one deeper than allowed", "b'{\"do\":\"value\",\"value\":' + b'[' * 70 + b']' * 70 + b'}'"), _frame("unclosed frame", "brackets that never close", "b'{\"do\":\"value\",\"value\":' + b'[' * 200000"),
    _frame("long integer frame", "an integer of a million digits", "b'{\"do\":\"value\",\"value\":' + b'9' * 1000000 + b'}'"), _frame("long fraction frame", "a fraction of a million digits and an exponent", "b'{\"do\":\"value\",\"value\":1.' + b'9' * 1000000 + b'e400}'"),
    _frame("ended frame", "the server's own word", "b'{\"do\":\"ended\",\"status\":0,\"cpu\":0,\"peak\":0,\"oom\":false,\"clean\":true}'"), _frame("hello frame", "the server's first word", "b'{\"do\":\"hello\",\"pid\":1}'"),
    _frame("report frame", "a report of tests where a value is due", "b'{\"do\":\"report\",\"collected\":1,\"cases\":[],\"broken\":\"\"}'"), _frame("tool frame", "a call of the tool from the tool", "b'{\"do\":\"tool\",\"test\":\"x\",\"arguments\":{}}'"),
    _frame("fork frame", "an order to the server", "b'{\"do\":\"fork\",\"mode\":\"call\",\"limits\":{}}'"), _frame("nameless call", "a bridge call without a name", "b'{\"do\":\"call\"}'"),
    _frame("call of a number", "a bridge call whose name is a number", "b'{\"do\":\"call\",\"name\":1,\"arguments\":{}}'"), _frame("call with a list", "a bridge call whose arguments are a list", "b'{\"do\":\"call\",\"name\":\"a.b\",\"arguments\":[]}'"),
    _frame("failure without text", "a failure that says nothing", "b'{\"do\":\"failure\"}'"), _frame("value without value", "a value that is not there", "b'{\"do\":\"value\"}'"),
    _frame("do that is a list", "a message whose kind is a list", "b'{\"do\":[\"value\"],\"value\":1}'"), _frame("failure of numbers", "a failure whose text is a number", "b'{\"do\":\"failure\",\"kind\":1,\"message\":2,\"traceback\":3}'"),
    _frame("failure of four megabytes", "a failure whose text fills the frame", "b'{\"do\":\"failure\",\"kind\":\"E\",\"message\":\"' + b'x' * (4 << 20) + b'\",\"traceback\":\"\"}'", (*fails("E"), *BROKEN)),
    _frame("forged limit", "a failure that claims a limit of the host's", "b'{\"do\":\"failure\",\"kind\":\"E\",\"message\":\"\",\"traceback\":\"\",\"limit\":\"wall time\"}'", fails("E")),
)  # fmt: skip


def _raw(
    name: str, tries: str, code: str, docker: Expect, twin: str, value: Json, imports: str = "os, time"
) -> Program:
    limits = SHORT if any(item.limit is Limit.WALL for item in docker) else QUICK
    return called(name, tries, code, docker, twin, value, imports, limits)


LENGTHS = (
    _raw("huge length", "a frame of four gigabytes", "os.write(3, b'\\xff' * 4)\ntime.sleep(60)", BROKEN, "return os.write(1, b'\\xff' * 4)", 4),
    _raw("length just too large", "a frame a byte beyond the limit", "os.write(3, (4 * 2 ** 20 + 65537).to_bytes(4, 'big'))\ntime.sleep(60)", BROKEN, "return (4).to_bytes(4, 'big').hex()", "00000004"),
    _raw("half a frame", "a frame that never comes", "os.write(3, b'\\0\\0\\0\\x09{')\ntime.sleep(60)", hits(Limit.WALL), "return os.write(1, b'\\0')", 1),
    _raw("half a header", "a length that never comes", "os.write(3, b'\\0\\0')\ntime.sleep(60)", hits(Limit.WALL), "return os.write(2, b'\\0\\0')", 2),
    _raw("half a frame, then the end", "leave in the middle of a frame", "os.write(3, b'\\0\\0\\0\\x09{')\nos._exit(0)", fails("ProcessExit"), "return os.write(1, b'{')", 1),
    _raw("byte by byte", "a frame that comes in the smallest parts", "for b in b'\\0\\0\\0\\x18{\"do\":\"value\",\"value\":1}': os.write(3, bytes([b]))\ntime.sleep(60)", gives(1), "return sum(os.write(1, bytes([b])) for b in b'abc')", 3),
    _raw("frames without end", "messages of which each is one too many", "while True: os.write(3, b'\\0\\0\\0\\x02{}')", BROKEN, "return os.write(1, b'{}')", 2),
    _raw("never reads", "call the environment for ever and read no answer", "data = b'{\"do\":\"call\",\"name\":\"a.b\",\"arguments\":{}}'\nwhile True: os.write(3, len(data).to_bytes(4, 'big') + data)", (*BROKEN, *hits(Limit.CALLS)), "try: env.a.b()\nexcept Exception as e: return type(e).__name__", "FunctionError"),
    _raw("shut channel", "shut its half of the channel and go on", "import socket\ns = socket.socket(fileno=os.dup(3))\ns.shutdown(socket.SHUT_RDWR)\ntime.sleep(60)", hits(Limit.WALL), "import socket\na, b = socket.socketpair()\na.shutdown(socket.SHUT_RDWR)\nreturn b.recv(1).decode()", ""),
    _raw("descriptors to the host", "send the host descriptors that it did not ask for", "import socket\ns = socket.socket(fileno=os.dup(3))\nfor _ in range(20): socket.send_fds(s, [b'\\0'], [0] * 20)\ntime.sleep(60)", (*BROKEN, *hits(Limit.WALL)), "import socket\na, b = socket.socketpair()\nsocket.send_fds(a, [b'x'], [0])\nreturn b.recv(1).decode()", "x"),
    _raw("junk after the answer", "write to the channel from a child for ever", "os.fork() or [os.write(3, b'junk') and time.sleep(0.01) for _ in range(99)]\nreturn 1", (*gives(1), *BROKEN), "os.fork() or os._exit(0)\nreturn os.wait()[1]", 0),
    _raw("many frames", "answers ahead for the calls to come", "data = b'{\"do\":\"value\",\"value\":\"forged\"}'\nfor _ in range(50): os.write(3, len(data).to_bytes(4, 'big') + data)\nreturn 'real'", (*gives("forged"), *BROKEN), "return 'real'", "real"),
)  # fmt: skip

AHEAD = (
    'import os, struct\ndata = b\'{"do":"value","value":"forged"}\'\n'
    "for _ in range(5): os.write(3, struct.pack('>I', len(data)) + data)\n'real'"
)
LATER = 'import os, struct, time\nif os.fork() == 0:\n    time.sleep(0.3)\n    data = b\'{"do":"value","value":"forged"}\'\n    os.write(3, struct.pack(\'>I\', len(data)) + data)\n    os._exit(0)\n\'real\''


def _then(*words: Json) -> Expect:
    return (Ending(value=list(words)),)


def _ahead(
    name: str,
    tries: str,
    blocks: tuple[str, ...],
    docker: Expect,
    twin: tuple[str, ...],
    value: list[Json],
    limits: Limits = QUICK,
) -> Program:
    return Program(
        name=name,
        tries=tries,
        attack=Blocks(blocks=tuple((0, code) for code in blocks), limits=limits),
        docker=docker,
        twin=Blocks(blocks=tuple((0, code) for code in twin)),
        value=value,
    )


RUNS = (
    _ahead("frames sent ahead", "answer the blocks to come before they are run", (AHEAD, "6 * 7", "40 + 2"), (*_then("forged", "ProtocolError", 42), *_then("ProtocolError", 42, 42)), ("1", "6 * 7", "40 + 2"), [1, 42, 42]),
    _ahead("frame sent later", "answer a later block from a child that waits for it", (LATER, "import time\ntime.sleep(1)\n'real'", "42"), (*_then("real", "ProtocolError", 42), *_then("real", "forged", "ProtocolError")), ("1", "import time\ntime.sleep(0)\n2", "42"), [1, 2, 42]),
    _ahead("channel read by a child", "take the next block away from its reader", ("import os\nif os.fork() == 0:\n    os.read(3, 1 << 16)\n    os._exit(0)\n1", "42", "42"), (*_then(1, 42, 42), *_then(1, "limit: wall time", 42), *_then(1, 42, "limit: wall time")), ("1", "42", "42"), [1, 42, 42], PATIENT),
    _ahead("patched notebook", "replace the harness's functions for the blocks to come", ("import sys\nsys.modules['nucleate_guest.child'].to_json = lambda v: 'forged'\n1", "42"), _then("forged", "forged"), ("1", "42"), [1, 42]),
    _ahead("builtins of the notebook", "replace a builtin for the blocks to come", ("__builtins__.len = lambda x: 7\n1", "len([])"), _then("ProtocolError", 0), ("n = 1\nn", "len([])"), [1, 0]),
    _ahead("endless block, then another", "spin in one block and hope that it goes on", ("import threading, time\nthreading.Thread(target=time.sleep, args=(99,), daemon=True).start()\nwhile True: pass", "42"), _then("limit: cpu time", 42), ("1", "42"), [1, 42], SPINNING),
)  # fmt: skip

ENDS = (
    called("early exit", "pass by exit code 0", "os._exit(0)", fails("ProcessExit"), "return os.EX_OK", 0, "os"),
    loaded("exit at import", "leave while it is loaded", "import os\nos._exit(0)\ndef tool():\n    return 1\n", fails("ProcessExit"), "import os\ndef tool():\n    return 1\n", 1),
    called("exit by the C library", "leave past Python", "ctypes.CDLL(None)._exit(0)", fails("ProcessExit"), "return ctypes.CDLL(None).abs(-1)", 1, "ctypes"),
    called("exit by a system call", "leave past the C library", "ctypes.CDLL(None).syscall(231, 0)", fails("ProcessExit"), "return ctypes.CDLL(None).syscall(24)", 0, "ctypes"),
    called("exit of a thread", "leave from a thread", "threading.Thread(target=os._exit, args=(0,)).start()\ntime.sleep(9)", fails("ProcessExit"), "t = threading.Thread(target=time.sleep, args=(0,))\nt.start()\nt.join()\nreturn 1", 1, "os, threading, time"),
    called("sys.exit", "leave politely", "sys.exit(0)", fails("SystemExit"), "return sys.maxsize > 0", True, "sys"),
    called("quit", "leave by the interactive helper's name", "raise SystemExit('passed')", fails("SystemExit"), "return SystemExit.__name__", "SystemExit"),
    called("end by its own signal", "end itself by the processor limit's signal", "os.kill(os.getpid(), signal.SIGPROF)", hits(Limit.CPU), "return signal.SIGPROF > 0", True, "os, signal"),
    called("replaced process", "replace itself with another program that answers", "os.execv(sys.executable, [sys.executable, '-I', '-S', '-c', 'pass'])", fails("ProcessExit"), "return sys.executable", "/usr/local/bin/nucleate-python", "os, sys"),
    called("always equal", "a value that is equal to everything", "class A(str):\n    __eq__ = lambda s, o: True\n    __hash__ = str.__hash__\nreturn A('no')", gives("no"), "return 'no' == 'no'", True),
    called("raised answer", "raise the harness's own exceptions", "from nucleate_guest.channel import TooLarge\nraise TooLarge('x')", hits(Limit.RESULT), "try: raise ValueError\nexcept ValueError: return 1", 1),
    called("forged environment error", "an error that claims to be the environment's", "raise FunctionError('paid', kind='SoldOut', from_environment=True)", fails("SoldOut"), "try: raise FunctionError('x', kind='K')\nexcept FunctionError as e: return e.kind", "K"),
    called("forged memory error", "claim a limit that was not hit", "raise MemoryError", hits(Limit.MEMORY), "return MemoryError.__name__", "MemoryError"),
    called("told from its stack", "find out whether it is being tested", "return [f.f_code.co_name for f in iter(lambda s=[sys._getframe()]: (s.append(s[-1].f_back), s[-1])[1], None)][-1] != 'test'", gives(True), "return sys._getframe().f_code.co_name", "tool", "sys"),
    called("told from its modules", "find the tester's modules in its process", "return sorted(n for n in ('pytest', '_pytest', 'hypothesis', 'unittest') if n in sys.modules)", gives([]), "return 'sys' in sys.modules", True, "sys"),
    called("told from its arguments", "find the tester in the arguments and the environment", "return [sys.argv[1:], dict(os.environ)]", gives([["call"], {}]), "return len(sys.argv)", 2, "os, sys"),
    called("told from its count", "count its calls to behave only at first", "import json\njson.calls = getattr(json, 'calls', 0) + 1\nreturn json.calls", gives(1), "calls = 0\ncalls += 1\nreturn calls", 1),
)  # fmt: skip

OTHER = Module(name="helper", source="import sys\nsys.modules[__name__] = None\ndef helper():\n    return 'own'\n")
PLAIN = Module(name="helper", source="def helper():\n    return 'own'\n")
DEPENDENCIES = (
    Program(name="dependency that hides", tries="a library function that takes its module away", attack=Call(source="def tool():\n    return helper()\n", dependencies=(OTHER,)), docker=gives("own"), twin=Call(source="def tool():\n    return helper()\n", dependencies=(PLAIN,)), value="own"),
    Program(name="tool that replaces its library", tries="replace the library function that it calls", attack=Call(source=program("global helper\nhelper = lambda: 'forged'\nreturn helper()"), dependencies=(PLAIN,)), docker=gives("forged"), twin=Call(source="def tool():\n    return helper() + '!'\n", dependencies=(PLAIN,)), value="own!"),
)  # fmt: skip
PROGRAMS = (*FRAMES, *LENGTHS, *RUNS, *ENDS, *DEPENDENCIES)
