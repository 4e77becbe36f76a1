"""Resources, room: processes, descriptors, disk, output and results end at their limits, and nothing of them stays."""

from __future__ import annotations

from nucleate_sandbox import Limit
from tests.sandbox.escapes.attacks import called
from tests.sandbox.escapes.case import fails, gives, hits

DISK = hits(Limit.DISK)

PROCESSES = (
    called("fork bomb", "fork for ever", "while True: os.fork()", hits(Limit.PROCESSES, Limit.MEMORY, Limit.WALL), "p = os.fork()\nif p == 0: os._exit(7)\nreturn os.waitpid(p, 0)[1] >> 8", 7, "os"),
    called("vfork bomb", "the same by the C library", "l = ctypes.CDLL(None)\nfor _ in range(999):\n    p = l.fork()\n    if p == 0: time.sleep(99)\n    if p < 0: raise BlockingIOError(11, 'fork')", hits(Limit.PROCESSES), "return ctypes.CDLL(None).abs(-4)", 4, "ctypes, time"),
    called("thread bomb", "threads for ever", "while True: threading.Thread(target=time.sleep, args=(99,), daemon=True).start()", hits(Limit.PROCESSES, Limit.MEMORY), "x = []\nt = threading.Thread(target=x.append, args=(1,))\nt.start()\nt.join()\nreturn x", [1], "threading, time"),
    called("daemon", "leave a daemon that holds the pipes", "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(1000)\n    os._exit(0)\nreturn 1", gives(1), "if os.fork() == 0:\n    os._exit(0)\nreturn os.wait()[1]", 0, "os, time"),
    called("daemon that forks on", "a process that is another each time it is looked for", "if os.fork() == 0:\n    os.setsid()\n    while True:\n        if os.fork(): os._exit(0)\nreturn 1", (*gives(1), *hits(Limit.WALL)), "if os.fork() == 0:\n    os.setsid()\n    os._exit(3)\nreturn os.wait()[1] >> 8", 3, "os"),
    called("daemon that ignores", "a process that ignores every signal", "if os.fork() == 0:\n    for n in range(1, 65):\n        try: signal.signal(n, signal.SIG_IGN)\n        except (OSError, ValueError): pass\n    time.sleep(1000)\nreturn 1", gives(1), "signal.signal(signal.SIGHUP, signal.SIG_IGN)\nsignal.raise_signal(signal.SIGHUP)\nreturn 1", 1, "os, signal, time"),
    called("group of another", "leave the process group and kill it", "os.setpgid(0, 0) if os.getpid() != os.getpgrp() else None\nif os.fork() == 0:\n    os.setpgid(0, 0)\n    time.sleep(1000)\nreturn 1", gives(1), "return os.getpgrp() == os.getpid()", True, "os, time"),
    called("zombies", "leave zombies", "for _ in range(20):\n    if os.fork() == 0: os._exit(0)\nreturn 1", gives(1), "for _ in range(3):\n    if os.fork() == 0: os._exit(0)\n    os.wait()\nreturn 1", 1, "os"),
    called("orphaned zombies", "zombies whose parent is dead", "for _ in range(5):\n    if os.fork() == 0:\n        for _ in range(3):\n            if os.fork() == 0: os._exit(0)\n        os._exit(0)\nreturn 1", gives(1), "if os.fork() == 0:\n    if os.fork() == 0: os._exit(0)\n    os.wait()\n    os._exit(0)\nreturn os.wait()[1]", 0, "os"),
    called("stopped child", "leave a child that is stopped", "p = os.fork()\nif p == 0: time.sleep(99)\nos.kill(p, signal.SIGSTOP)\nreturn 1", gives(1), "p = os.fork()\nif p == 0: time.sleep(99)\nos.kill(p, signal.SIGKILL)\nreturn os.waitpid(p, 0)[1]", 9, "os, signal, time"),
)  # fmt: skip

DESCRIPTORS = (
    called("descriptors", "open files for ever", "x = []\nwhile True: x.append(open('/dev/null'))", hits(Limit.FILES), "x = [open('/dev/null') for _ in range(50)]\nreturn len(x)", 50),
    called("descriptors of sockets", "sockets for ever", "x = []\nwhile True: x.append(socket.socketpair())", hits(Limit.FILES), "return len(socket.socketpair())", 2, "socket"),
    called("duplicates", "copies of one descriptor for ever", "while True: os.dup(1)", hits(Limit.FILES), "os.close(os.dup(1))\nreturn 1", 1, "os"),
    called("descriptors of children", "as many as allowed in each of many children", "for _ in range(20):\n    if os.fork() == 0:\n        try:\n            while True: os.dup(1)\n        except OSError: time.sleep(99)\nreturn 1", gives(1), "if os.fork() == 0:\n    os.dup(1)\n    os._exit(0)\nreturn os.wait()[1]", 0, "os, time"),
)  # fmt: skip

ROOM = (
    called("disk bytes", "fill the disk", "with open('/tmp/x', 'wb') as f:\n    while True: f.write(bytes(1 << 20))", DISK, "open('/tmp/x', 'w').write('y' * 9)\nreturn len(open('/tmp/x').read())", 9),
    called("disk in parts", "fill the disk by many files", "for n in range(100): open(f'/tmp/{n}', 'wb').write(bytes(1 << 20))", DISK, "for n in range(9): open(f'/tmp/{n}', 'wb').write(bytes(9))\nreturn 1", 1),
    called("inodes", "use up the inodes", "for n in range(10 ** 6): open(f'/tmp/{n}', 'w').close()", DISK, "for n in range(100): open(f'/tmp/{n}', 'w').close()\nreturn 1", 1),
    called("inodes of links", "use up the inodes by links", "for n in range(10 ** 6): os.symlink('x', f'/tmp/{n}')", DISK, "os.symlink('x', '/tmp/l')\nreturn os.readlink('/tmp/l')", "x", "os"),
    called("inodes of folders", "use up the inodes by folders", "for n in range(10 ** 6): os.mkdir(f'/tmp/{n}')", DISK, "os.mkdir('/tmp/d')\nreturn os.listdir('/tmp')", ["d"], "os"),
    called("inodes of FIFOs", "use up the inodes by pipes with names", "for n in range(10 ** 6): os.mkfifo(f'/tmp/{n}')", (*DISK, *fails("PermissionError")), "return hasattr(os, 'mkfifo')", True, "os"),
    called("sparse file", "a file of a terabyte without blocks", "with open('/tmp/x', 'wb') as f: f.truncate(1 << 40)", DISK, "with open('/tmp/x', 'wb') as f: f.truncate(1 << 10)\nreturn len(open('/tmp/x', 'rb').read())", 1024),
    called("sparse files", "many files of a size that each may have", "for n in range(100):\n    with open(f'/tmp/{n}', 'wb') as f: f.truncate(60 << 20)\nreturn 1", gives(1), "with open('/tmp/x', 'wb') as f: f.write(b'x' * 101)\nreturn os.stat('/tmp/x').st_size", 101, "os"),
    called("allocated file", "blocks without bytes", "with open('/tmp/x', 'wb') as f: os.posix_fallocate(f.fileno(), 0, 1 << 30)", DISK, "with open('/tmp/x', 'wb') as f: os.posix_fallocate(f.fileno(), 0, 1 << 12)\nreturn os.stat('/tmp/x').st_size", 4096, "os"),
    called("deep folders", "nest folders beyond every path", "for _ in range(2000):\n    os.mkdir('d')\n    os.chdir('d')\nreturn 1", gives(1), "for _ in range(5):\n    os.mkdir('d')\n    os.chdir('d')\nreturn os.getcwd()", "/tmp/d/d/d/d/d", "os"),
    called("locked folders", "folders that cannot be entered", "os.makedirs('/tmp/a/b/c')\nos.chmod('/tmp/a/b', 0)\nos.chmod('/tmp/a', 0)\nreturn 1", gives(1), "os.makedirs('/tmp/a/b')\nreturn os.listdir('/tmp/a')", ["b"], "os"),
    called("long names", "folders whose names leave no room", "os.makedirs('/tmp/' + 'é' * 127 + '/' + 'ü' * 127 + '/a')\nreturn 1", gives(1), "os.makedirs('/tmp/é/ü')\nreturn os.listdir('/tmp')", ["é"], "os"),
    called("names that are no text", "files whose names are no text", "open(b'/tmp/\\xff\\n\\x01', 'w')\nos.mkdir(b'/tmp/\\x80')\nreturn 1", gives(1), "open('/tmp/a b', 'w').close()\nreturn os.listdir('/tmp')", ["a b"], "os"),
    called("unlinked but open", "fill the disk with a file that has no name", "f = open('/tmp/x', 'wb')\nos.unlink('/tmp/x')\nwhile True:\n    f.write(bytes(1 << 20))", DISK, "f = open('/tmp/x', 'w+')\nos.unlink('/tmp/x')\nf.write('x')\nf.seek(0)\nreturn f.read()", "x", "os"),
    called("unlinked in a daemon", "keep a file without a name in a process that stays", "f = open('/tmp/x', 'wb')\nf.write(bytes(32 << 20))\nos.unlink('/tmp/x')\nos.fork() or time.sleep(999)\nreturn 1", gives(1), "open('/tmp/x', 'w').close()\nos.unlink('/tmp/x')\nreturn os.listdir('/tmp')", [], "os, time"),
    called("mapped file", "keep the disk by a map of a file without a name", "f = open('/tmp/x', 'w+b')\nf.truncate(32 << 20)\nm = mmap.mmap(f.fileno(), 0)\nm[:] = bytes(32 << 20)\nos.unlink('/tmp/x')\nreturn 1", gives(1), "f = open('/tmp/x', 'w+b')\nf.write(b'abc')\nf.flush()\nreturn mmap.mmap(f.fileno(), 0)[:].decode()", "abc", "mmap, os"),
    called("wiping that races", "go on making files while the work folder is wiped", "if os.fork() == 0:\n    os.setsid()\n    n = 0\n    while True:\n        n += 1\n        try: open(f'/tmp/{n}', 'w').close()\n        except OSError: pass\nreturn 1", gives(1), "open('/tmp/1', 'w').close()\nreturn os.listdir('/tmp')", ["1"], "os"),
)  # fmt: skip

OUTPUT = (
    called("flood", "output without end", "while True: print('x' * 65536)", hits(Limit.OUTPUT), "print('x' * 100)\nreturn 1", 1),
    called("flood of errors", "output without end on the other stream", "while True: os.write(2, b'x' * 65536)", hits(Limit.OUTPUT), "return os.write(2, b'x')", 1, "os"),
    called("flood of a daemon", "output without end after the answer", "if os.fork() == 0:\n    while True: os.write(1, b'x' * 65536)\nreturn 1", gives(1), "if os.fork() == 0:\n    os.write(1, b'x')\n    os._exit(0)\nreturn os.wait()[1]", 0, "os"),
    called("one endless line", "a line that never ends", "while True: os.write(1, b'x' * 65536)", hits(Limit.OUTPUT), "return os.write(1, b'x\\n')", 2, "os"),
    called("many empty lines", "lines without text for ever", "while True: os.write(1, b'\\n' * 65536)", hits(Limit.OUTPUT), "return os.write(1, b'\\n')", 1, "os"),
    called("invalid output", "bytes that are no text", "os.write(1, bytes(range(256)))\nos.write(2, b'\\xff\\xfe')\nreturn 1", gives(1), "os.write(1, 'é'.encode())\nreturn 1", 1, "os"),
    called("half a character on output", "print half a character", "print(chr(0xdfff))\nreturn 1", gives(1), "print(chr(0xe9))\nreturn 1", 1),
    called("terminal codes", "output that would move a terminal's cursor", "print('\\x1b]0;title\\x07\\x1b[2J')\nreturn 1", gives(1), "print('plain')\nreturn 1", 1),
    called("closed output", "close its streams and print", "sys.stdout.close()\nos.close(1)\nreturn 1", gives(1), "sys.stdout.flush()\nreturn 1", 1, "os, sys"),
    called("hostile stream", "a stream whose flush never returns a value", "class S:\n    def flush(self): raise SystemExit\n    def write(self, t): return 0\nsys.stdout = S()\nreturn 1", gives(1), "sys.stdout.write('')\nreturn 1", 1, "sys"),
)  # fmt: skip

RESULTS = (
    called("recursion", "recurse for ever", "def f(): return f()\nreturn f()", fails("RecursionError"), "def f(n): return n and f(n - 1)\nreturn f(50)", 0),
    called("native crash", "overflow the C stack", "sys.setrecursionlimit(10 ** 8)\nx = ()\nfor _ in range(10 ** 6): x = (x,)\nreturn hash(x)", fails("ProcessKilled"), "return hash(()) == hash(())", True, "sys"),
    called("large result", "a result beyond its limit", "return 'x' * (5 << 20)", hits(Limit.RESULT), "return len('x' * (5 << 20))", 5242880),
    called("wide result", "a result of many small parts", "return [10 ** 9] * (1 << 19)", hits(Limit.RESULT), "return [0] * 3", [0, 0, 0]),
    called("result of escapes", "a result that grows when it is written", "return '\\x01' * (1 << 20)", hits(Limit.RESULT), "return '\\x01'", "\x01"),
    called("deep result", "a result nested without end", "x = []\nfor _ in range(10 ** 5): x = [x]\nreturn x", fails("ValueError", "RecursionError"), "x = []\nfor _ in range(5): x = [x]\nreturn x", [[[[[[]]]]]]),
    called("cyclic result", "a result that holds itself", "x = []\nx.append(x)\nreturn x", fails("ValueError", "RecursionError"), "x = []\nreturn [x, x]", [[], []]),
    called("NaN", "a result that is no number", "return float('nan')", fails("ValueError"), "return float('1')", 1.0),
    called("Infinity", "a result without bound", "return [1e308 * 10]", fails("ValueError"), "return [1e308]", [1e308]),
    called("minus Infinity as a key's value", "a number without bound, deep inside", "return {'a': [{'b': -1e999}]}", fails("ValueError"), "return {'a': [{'b': -1.5}]}", {"a": [{"b": -1.5}]}),
    called("lone surrogate", "half a character", "return chr(0xd800)", fails("UnicodeEncodeError"), "return chr(0xe9)", "é"),
    called("surrogate as a key", "half a character in a key", "return {chr(0xdc00): 1}", fails("UnicodeEncodeError"), "return {chr(0x1f600): 1}", {"😀": 1}),
    called("bytes", "a result that is no text", "return b'\\xff\\xfe'", fails("TypeError"), "return b'ab'.decode()", "ab"),
    called("long integer", "an integer too long for its text", "return 10 ** 5000", fails("ValueError"), "return 10 ** 20", 10**20),
    called("iterator without end", "a result that is never whole", "return iter(int, 1)", fails("TypeError"), "return list(iter([1, 2]))", [1, 2]),
)  # fmt: skip

PROGRAMS = (*PROCESSES, *DESCRIPTORS, *ROOM, *OUTPUT, *RESULTS)
