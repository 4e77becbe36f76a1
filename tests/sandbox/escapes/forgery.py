"""Verdict forgery and the private channel: an answer of another call, or of nobody, is never believed."""

from __future__ import annotations

from nucleate_sandbox import Limit
from tests.sandbox.escapes.case import SHORT, Expect, Hostile, Twin, fails, gives, hits, program

BROKEN: Expect = fails("ProtocolError")


def _frame(name: str, tries: str, text: str) -> Hostile:
    """Return a program that sends a frame of its own, then waits."""
    code = f"data = {text}\nos.write(3, struct.pack('>I', len(data)) + data)\ntime.sleep(60)"
    return Hostile(name=name, tries=tries, source=program(code, "os, struct, time"), docker=BROKEN)


FRAMES = (
    _frame("no JSON", "a frame that is no JSON", "b'{]'"), _frame("a list", "a frame that is no object", "b'[]'"),
    _frame("NaN frame", "a value that is no number", "b'{\"do\":\"value\",\"value\":NaN}'"),
    _frame("infinite frame", "a number beyond every float", "b'{\"do\":\"value\",\"value\":1e999}'"),
    _frame("duplicate keys", "a frame with a key twice", "b'{\"do\":\"value\",\"do\":\"failure\"}'"),
    _frame("invalid UTF-8", "a frame that is no text", "b'{\"do\":\"\\xff\"}'"),
    _frame("surrogate frame", "half a character", "b'{\"do\":\"value\",\"value\":\"\\\\ud800\"}'"),
    _frame("deep frame", "JSON nested 100,000 deep", "b'{\"do\":\"value\",\"value\":' + b'[' * 100000 + b']' * 100000 + b'}'"),
    _frame("long integer frame", "an integer of a million digits", "b'{\"do\":\"value\",\"value\":' + b'9' * 1000000 + b'}'"),
    _frame("ended frame", "the server's own word", "b'{\"do\":\"ended\",\"status\":0,\"cpu\":0,\"peak\":0,\"oom\":false,\"clean\":true}'"),
    _frame("report frame", "a report of tests where a value is due", "b'{\"do\":\"report\",\"collected\":1,\"cases\":[],\"broken\":\"\"}'"),
    _frame("tool frame", "a call of the tool from the tool", "b'{\"do\":\"tool\",\"test\":\"x\",\"arguments\":{}}'"),
    _frame("nameless call", "a bridge call without a name", "b'{\"do\":\"call\"}'"),
    _frame("failure without text", "a failure that says nothing", "b'{\"do\":\"failure\"}'"),
    Hostile(name="huge length", tries="a frame of four gigabytes", source=program("os.write(3, b'\\xff' * 4)\ntime.sleep(60)", "os, time"), docker=BROKEN),
    Hostile(name="half a frame", tries="a frame that never comes", source=program("os.write(3, b'\\0\\0\\0\\x09{')\ntime.sleep(60)", "os, time"), docker=hits(Limit.WALL), limits=SHORT),
)  # fmt: skip
ENDS = (
    Hostile(name="early exit", tries="pass by exit code 0", source=program("os._exit(0)", "os"), docker=fails("ProcessExit")),
    Hostile(name="exit at import", tries="leave while it is loaded", source="import os\nos._exit(0)\ndef tool():\n    return 1\n", docker=fails("ProcessExit")),
    Hostile(name="sys.exit", tries="leave politely", source=program("sys.exit(0)", "sys"), docker=fails("SystemExit")),
    Hostile(name="exit handler", tries="answer again at exit", source=program("atexit.register(os.write, 3, b'junk')\nreturn 1", "atexit, os"), docker=gives(1)),
    Hostile(name="junk after the answer", tries="write to the channel from a thread for ever", source=program("os.fork() or [time.sleep(1) for _ in range(99)]\nreturn 1", "os, time"), docker=gives(1)),
    Hostile(name="many frames", tries="answers ahead for the calls to come", source=program("data = b'{\"do\":\"value\",\"value\":\"forged\"}'\nfor _ in range(50): os.write(3, struct.pack('>I', len(data)) + data)\nreturn 'real'", "os, struct"), docker=gives("forged")),
)  # fmt: skip
LEAKS = (
    Hostile(name="patched builtins", tries="patch what the next call uses", source=program("builtins.len = lambda x: 0\njson.dumps = None\nreturn 1", "builtins, json"), docker=fails("ProcessExit")),
    Hostile(name="files and folders", tries="leave files", source=program("open('/tmp/a', 'w').write('x')\nos.symlink('/', '/tmp/root')\nreturn 1", "os"), docker=gives(1)),
    Hostile(name="umask and folder", tries="change the next call's umask and folder", source=program("os.umask(0)\nos.chdir('/')\nos.environ['A'] = 'b'\nreturn 1", "os"), docker=gives(1)),
    Hostile(name="seeded random", tries="make the next call's random numbers known", source=program("random.seed(0)\nreturn 1", "random"), docker=gives(1), monty=gives(1)),
    Hostile(name="abstract socket", tries="leave a socket that has no file", source=program("s = socket.socket(socket.AF_UNIX)\ns.bind('\\0left')\ns.listen()\nos.fork() or time.sleep(99)\nreturn 1", "os, socket, time"), docker=gives(1)),
    Hostile(name="ignored signals", tries="change the next call's signals and lower its limits", source=program("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nresource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))\nreturn 1", "resource, signal"), docker=gives(1)),
)  # fmt: skip
PROGRAMS = (*FRAMES, *ENDS, *LEAKS)
TWINS = (Twin(name="a plain answer", source=program("return [1, None, 'x']"), value=[1, None, "x"]),)
