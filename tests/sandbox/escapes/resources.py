"""Resources: every kind of exhaustion ends at its own limit, and leaves nothing behind."""

from __future__ import annotations

from nucleate_sandbox import Limit, Limits
from tests.sandbox.escapes.case import QUICK, REFUSED, SHORT, Expect, Hostile, Twin, fails, gives, hits, program

CPU = Limits(wall_seconds=10.0, cpu_seconds=0.3)
MEMORY = hits(Limit.MEMORY)
DISK = hits(Limit.DISK)
TIME = hits(Limit.WALL, Limit.CPU)


def _one(
    name: str, tries: str, code: str, docker: Expect, imports: str = "", limits: Limits = QUICK, monty: Expect = REFUSED
) -> Hostile:
    return Hostile(name=name, tries=tries, source=program(code, imports), docker=docker, limits=limits, monty=monty)


PROGRAMS = (
    _one("loop in Python", "burn the processor", "while True: pass", hits(Limit.CPU), "", CPU),
    _one("loop in C", "hold the interpreter lock", "return sum(iter(int, 1))", hits(Limit.CPU), "", CPU),
    _one("regular expression", "backtrack for ever", "return re.match('(a+)+$', 'a' * 40 + 'b')", hits(Limit.CPU), "re", CPU, gives(None)),
    _one("huge power", "one long C call", "return len(str(3 ** (10 ** 9)))", hits(Limit.CPU), "", CPU),
    _one("ignored timer", "switch the processor timer off", "signal.setitimer(signal.ITIMER_PROF, 0)\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass", TIME, "signal", Limits(wall_seconds=0.7, cpu_seconds=0.2)),
    _one("sleep", "sleep for ever", "time.sleep(10 ** 6)", hits(Limit.WALL), "time", SHORT),
    _one("dead lock", "wait for itself", "l = threading.Lock()\nl.acquire()\nl.acquire()", hits(Limit.WALL), "threading", SHORT),
    _one("stopped process", "stop itself", "os.kill(os.getpid(), signal.SIGSTOP)", hits(Limit.WALL), "os, signal", SHORT),
    _one("blocked signals", "block every signal and spin", "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass", TIME, "signal", SHORT),
    _one("closed channel", "close the channel and wait", "os.close(3)\ntime.sleep(100)", hits(Limit.WALL), "os, time", SHORT),
    _one("one block", "one great allocation", "return len(bytearray(10 ** 11))", MEMORY),
    _one("slow growth", "grow a list until nothing is left", "x = []\nwhile True: x.append(bytearray(1 << 20))", MEMORY),
    _one("many small", "many small objects", "x = []\nwhile True: x.append([None] * 100)", MEMORY),
    _one("compression bomb", "inflate a gigabyte", "d = zlib.decompressobj()\nz = zlib.compress(bytes(1 << 24))\nreturn len(b''.join(zlib.decompress(z) for _ in range(64)))", MEMORY, "zlib"),
    _one("wide format", "a format of a gigabyte", "return len('%1000000000d' % 1)", MEMORY),
    _one("memory of many", "share out the memory among children", "for _ in range(20):\n    if os.fork() == 0:\n        x = bytearray(b'x') * (100 << 20)\n        time.sleep(100)\nos.wait()\nos._exit(0)", MEMORY, "os, time"),
    _one("fork bomb", "fork for ever", "while True: os.fork()", Expect(limits=(Limit.PROCESSES, Limit.MEMORY, Limit.WALL)), "os"),
    _one("thread bomb", "threads for ever", "while True: threading.Thread(target=time.sleep, args=(99,), daemon=True).start()", hits(Limit.PROCESSES, Limit.MEMORY), "threading, time"),
    _one("daemon", "leave a daemon that holds the pipes", "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(1000)\n    os._exit(0)\nreturn 1", gives(1), "os, time"),
    _one("zombies", "leave zombies", "for _ in range(20):\n    if os.fork() == 0: os._exit(0)\nreturn 1", gives(1), "os"),
    _one("descriptors", "open files for ever", "x = []\nwhile True: x.append(open('/dev/null'))", hits(Limit.FILES)),
    _one("pipes full of data", "kernel memory in pipes and sockets", "x = []\nfor _ in range(50):\n    a, b = socket.socketpair()\n    a.setblocking(False)\n    x += [a, b]\n    try:\n        while True: a.send(bytes(1 << 16))\n    except BlockingIOError: pass\nreturn 1", gives(1), "socket"),
    _one("disk bytes", "fill the disk", "with open('/tmp/x', 'wb') as f:\n    while True: f.write(bytes(1 << 20))", DISK),
    _one("disk in parts", "fill the disk by many files", "for n in range(100): open(f'/tmp/{n}', 'wb').write(bytes(1 << 20))", DISK),
    _one("inodes", "use up the inodes", "for n in range(10 ** 6): open(f'/tmp/{n}', 'w').close()", DISK),
    _one("sparse file", "a file of a terabyte without blocks", "with open('/tmp/x', 'wb') as f: f.truncate(1 << 40)", DISK),
    _one("deep folders", "nest folders beyond every path", "for _ in range(2000):\n    os.mkdir('d')\n    os.chdir('d')\nreturn 1", gives(1), "os"),
    _one("long names", "folders whose names leave no room", "os.makedirs('/tmp/' + 'é' * 127 + '/' + 'ü' * 127 + '/a')\nreturn 1", gives(1), "os"),
    _one("unlinked but open", "fill the disk with a file that has no name", "f = open('/tmp/x', 'wb')\nos.unlink('/tmp/x')\nwhile True:\n    f.write(bytes(1 << 20))", DISK, "os"),
    _one("flood", "output without end", "while True: print('x' * 65536)", hits(Limit.OUTPUT)),
    _one("one endless line", "a line that never ends", "while True: os.write(1, b'x' * 65536)", hits(Limit.OUTPUT), "os"),
    _one("invalid output", "bytes that are no text", "os.write(1, bytes(range(256)))\nos.write(2, b'\\xff\\xfe')\nreturn 1", gives(1), "os"),
    _one("recursion", "recurse for ever", "def f(): return f()\nreturn f()", fails("RecursionError")),
    _one("native crash", "overflow the C stack", "sys.setrecursionlimit(10 ** 8)\nx = ()\nfor _ in range(10 ** 6): x = (x,)\nreturn hash(x)", fails("ProcessKilled"), "sys"),
    _one("large result", "a result beyond its limit", "return 'x' * (5 << 20)", hits(Limit.RESULT)),
    _one("deep result", "a result nested without end", "x = []\nfor _ in range(10 ** 5): x = [x]\nreturn x", fails("ValueError", "RecursionError")),
    _one("cyclic result", "a result that holds itself", "x = []\nx.append(x)\nreturn x", fails("ValueError", "RecursionError")),
    _one("NaN", "a result that is no number", "return float('nan')", fails("ValueError")),
    _one("Infinity", "a result without bound", "return [1e308 * 10]", fails("ValueError")),
    _one("lone surrogate", "half a character", "return chr(0xd800)", fails("UnicodeEncodeError")),
    _one("long integer", "an integer too long for its text", "return 10 ** 5000", fails("ValueError")),
    _one("bridge without a manifest", "call the environment for ever", "while True: env.shop.stock()", fails("UnknownFunction")),
)  # fmt: skip
TWINS = (
    Twin(name="a long sum", source=program("return sum(range(10 ** 5))"), value=4999950000),
    Twin(name="a file", source=program("open('/tmp/x', 'w').write('y' * 9)\nreturn len(open('/tmp/x').read())"), value=9),
    Twin(name="a child that is waited for", source=program("p = os.fork()\nif p == 0: os._exit(7)\nreturn os.waitpid(p, 0)[1] >> 8", "os"), value=7),
    Twin(name="a thread that is joined", source=program("x = []\nt = threading.Thread(target=x.append, args=(1,))\nt.start()\nt.join()\nreturn x", "threading"), value=[1]),
    Twin(name="inflation within reason", source=program("return len(zlib.decompress(zlib.compress(bytes(10 ** 6))))", "zlib"), value=1000000),
)  # fmt: skip
