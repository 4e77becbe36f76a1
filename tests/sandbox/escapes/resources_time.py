"""Resources, time and memory: what spins, waits or grows ends at its own limit."""

from __future__ import annotations

from nucleate_sandbox import Limit, Limits
from tests.sandbox.escapes.attacks import called
from tests.sandbox.escapes.case import SHORT, fails, gives, hits

CPU = Limits(wall_seconds=60.0, cpu_seconds=0.3)
MEMORY = hits(Limit.MEMORY)
CLOCK = Limits(wall_seconds=0.7, cpu_seconds=0.2)
EITHER = hits(Limit.WALL, Limit.CPU)

TIME = (
    called("loop in Python", "burn the processor", "while True: pass", hits(Limit.CPU), "n = 0\nwhile n < 1000: n += 1\nreturn n", 1000, "", CPU),
    called("loop in C", "hold the interpreter lock", "return sum(iter(int, 1))", hits(Limit.CPU), "return sum(range(10 ** 5))", 4999950000, "", CPU),
    called("regular expression", "backtrack for ever", "return re.match('(a+)+$', 'a' * 40 + 'b')", hits(Limit.CPU), "return re.match('a+', 'aab')[0]", "aa", "re", CPU),
    called("huge power", "one long C call", "return len(str(3 ** (10 ** 9)))", hits(Limit.CPU), "return len(str(3 ** 1000))", 478, "", CPU),
    called("huge product", "one long C call of another kind", "x = 7 ** (10 ** 6)\nwhile True: x = x * x % (1 << 3000000)", hits(Limit.CPU), "return pow(7, 10 ** 6, 1000)", 1, "", CPU),
    called("sort with a hostile order", "a comparison that never ends a sort", "class A:\n    def __lt__(self, other):\n        while True: pass\nreturn sorted([A(), A()])", hits(Limit.CPU), "return sorted([2, 1])", [1, 2], "", CPU),
    called("hash collisions", "keys that all have one hash", "class K:\n    def __hash__(self): return 1\n    def __eq__(self, other): return self is other\nreturn len({K() for _ in range(10 ** 5)})", hits(Limit.CPU), "return len({n for n in range(1000)})", 1000, "", CPU),
    called("ignored timer", "switch the processor timer off", "signal.setitimer(signal.ITIMER_PROF, 0)\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass", EITHER, "return signal.getitimer(signal.ITIMER_REAL)", [0.0, 0.0], "signal", CLOCK),
    called("ignored SIGPROF", "ignore the timer's signal", "signal.signal(signal.SIGPROF, signal.SIG_IGN)\nwhile True: pass", EITHER, "return signal.SIGPROF.name", "SIGPROF", "signal", CLOCK),
    called("handled SIGXCPU", "answer every signal of the processor limit by another timer", "def late(*a): signal.setitimer(signal.ITIMER_PROF, 9)\nsignal.signal(signal.SIGXCPU, late)\nsignal.signal(signal.SIGPROF, late)\nwhile True: pass", EITHER, "return signal.SIGXCPU.name", "SIGXCPU", "signal", CLOCK),
    called("time shared by children", "spin in children, each with a budget of its own", "for _ in range(4):\n    if os.fork() == 0:\n        while True: pass\nos.wait()", EITHER, "p = os.fork()\nif p == 0: os._exit(0)\nreturn os.waitpid(p, 0)[1]", 0, "os", CLOCK),
    called("sleep", "sleep for ever", "time.sleep(10 ** 6)", hits(Limit.WALL), "time.sleep(0.001)\nreturn 1", 1, "time", SHORT),
    called("dead lock", "wait for itself", "l = threading.Lock()\nl.acquire()\nl.acquire()", hits(Limit.WALL), "l = threading.Lock()\nl.acquire()\nl.release()\nreturn l.locked()", False, "threading", SHORT),
    called("dead lock of two threads", "threads that wait for each other", "b = threading.Barrier(3)\nthreading.Thread(target=b.wait).start()\nb.wait()", hits(Limit.WALL), "b = threading.Barrier(2)\nthreading.Thread(target=b.wait).start()\nb.wait()\nreturn b.broken", False, "threading", SHORT),
    called("pause", "wait for a signal that nobody sends", "signal.pause()", hits(Limit.WALL), "signal.signal(signal.SIGUSR1, lambda *a: None)\nsignal.raise_signal(signal.SIGUSR1)\nreturn 1", 1, "signal", SHORT),
    called("read of an empty pipe", "wait for bytes that never come", "r, w = os.pipe()\nos.read(r, 1)", hits(Limit.WALL), "r, w = os.pipe()\nos.write(w, b'x')\nreturn os.read(r, 1).decode()", "x", "os", SHORT),
    called("stopped process", "stop itself", "os.kill(os.getpid(), signal.SIGSTOP)", hits(Limit.WALL), "os.kill(os.getpid(), 0)\nreturn 1", 1, "os, signal", SHORT),
    called("blocked signals", "block every signal and spin", "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass", EITHER, "return len(signal.pthread_sigmask(signal.SIG_BLOCK, []))", 0, "signal", SHORT),
    called("closed channel", "close the channel and wait", "os.close(3)\ntime.sleep(100)", hits(Limit.WALL), "f = open('/dev/null')\nos.close(os.dup(f.fileno()))\nf.close()\nreturn 1", 1, "os, time", SHORT),
    called("awaited for ever", "an awaitable that never ends", "import asyncio\nasync def wait(): await asyncio.Event().wait()\nreturn wait()", hits(Limit.WALL), "async def wait(): return 1\nreturn wait()", 1, "", SHORT),
)  # fmt: skip

GROWTH = (
    called("one block", "one great allocation", "return len(bytearray(10 ** 11))", MEMORY, "return len(bytearray(10 ** 5))", 100000),
    called("slow growth", "grow a list until nothing is left", "x = []\nwhile True: x.append(bytearray(1 << 20))", MEMORY, "x = []\nfor _ in range(9): x.append(bytearray(1 << 10))\nreturn len(x)", 9),
    called("many small", "many small objects", "x = []\nwhile True: x.append([None] * 100)", MEMORY, "return len([[None] * 100 for _ in range(1000)])", 1000),
    called("doubled text", "a text that doubles", "x = 'x'\nwhile True: x += x", MEMORY, "x = 'x'\nfor _ in range(10): x += x\nreturn len(x)", 1024),
    called("mapped memory", "map memory past the allocator", "x = [mmap.mmap(-1, 1 << 24) for _ in range(1000)]\nreturn len(x)", MEMORY, "m = mmap.mmap(-1, 4096)\nm.write(b'x')\nreturn len(m)", 4096, "mmap"),
    called("zlib bomb", "inflate a gigabyte", "z = zlib.compress(bytes(1 << 24))\nreturn len(b''.join(zlib.decompress(z) for _ in range(64)))", MEMORY, "return len(zlib.decompress(zlib.compress(bytes(10 ** 6))))", 1000000, "zlib"),
    called("gzip bomb", "inflate a file of a gigabyte", "z = gzip.compress(bytes(1 << 24)) * 64\nreturn len(gzip.decompress(z))", MEMORY, "return len(gzip.decompress(gzip.compress(bytes(1000))))", 1000, "gzip"),
    called("zip bomb", "an archive whose members inflate without end", """
        b = io.BytesIO()
        with zipfile.ZipFile(b, 'w', zipfile.ZIP_DEFLATED) as z:
            for n in range(20): z.writestr(str(n), bytes(1 << 24))
        return sum(len(x) for x in [zipfile.ZipFile(b).read(str(n % 20)) for n in range(64)])""", MEMORY, """
        b = io.BytesIO()
        with zipfile.ZipFile(b, 'w') as z: z.writestr('a', 'text')
        return zipfile.ZipFile(b).read('a').decode()""", "text", "io, zipfile"),
    called("zip bomb on disk", "an archive unpacked into the work folder", """
        with zipfile.ZipFile('/tmp/z', 'w', zipfile.ZIP_DEFLATED) as z:
            for n in range(20): z.writestr(str(n), bytes(1 << 23))
        zipfile.ZipFile('/tmp/z').extractall('/tmp/out')""", hits(Limit.DISK), """
        with zipfile.ZipFile('/tmp/z', 'w') as z: z.writestr('a', 'text')
        zipfile.ZipFile('/tmp/z').extractall('/tmp/out')
        return open('/tmp/out/a').read()""", "text", "zipfile"),
    called("entity bomb", "a document whose entities multiply", """
        text = '<!DOCTYPE a [<!ENTITY e0 "xxxxxxxxxx">' + ''.join(f'<!ENTITY e{n} "{f"&e{n-1};" * 10}">' for n in range(1, 10)) + ']><a>&e9;</a>'
        return len(xml.etree.ElementTree.fromstring(text).text)""", fails("ParseError"), "return xml.etree.ElementTree.fromstring('<a>b</a>').text", "b", "xml.etree.ElementTree"),
    called("wide format", "a format of a gigabyte", "return len('%1000000000d' % 1)", MEMORY, "return len('%100d' % 1)", 100),
    called("wide f-string", "the same by a format specification", "return len(f'{1:>1000000000}')", MEMORY, "return len(f'{1:>100}')", 100),
    called("padding", "the same by a method of text", "return len('x'.ljust(10 ** 9))", MEMORY, "return len('x'.ljust(10))", 10),
    called("repetition of a list", "a list that is repeated", "return len([0] * 10 ** 9)", MEMORY, "return len([0] * 10)", 10),
    called("memory of many", "share out the memory among children", "for _ in range(20):\n    if os.fork() == 0:\n        x = bytearray(b'x') * (100 << 20)\n        time.sleep(100)\nos.wait()\nos._exit(0)", MEMORY, "p = os.fork()\nif p == 0:\n    x = bytearray(b'x') * (1 << 20)\n    os._exit(len(x) >> 18)\nreturn os.waitpid(p, 0)[1] >> 8", 4, "os, time"),
    called("memory of threads", "stacks for many threads", "threading.stack_size(128 << 20)\nx = [threading.Thread(target=time.sleep, args=(9,)) for _ in range(8)]\nfor t in x: t.start()", hits(Limit.MEMORY, Limit.PROCESSES), "threading.stack_size(1 << 20)\nt = threading.Thread(target=time.sleep, args=(0,))\nt.start()\nt.join()\nreturn 1", 1, "threading, time"),
    called("memory in the exception", "an exception that holds all memory", "x = []\ntry:\n    while True: x.append(bytearray(1 << 20))\nexcept MemoryError as e:\n    e.kept = x\n    raise", MEMORY, "try:\n    raise MemoryError\nexcept MemoryError as e:\n    return str(e)", ""),
    called("memory error swallowed", "go on after the memory is spent", "x = []\nwhile True:\n    try: x.append(bytearray(1 << 20))\n    except MemoryError: break\nx.clear()\nreturn 1", gives(1), "try:\n    raise MemoryError\nexcept MemoryError:\n    return 1", 1),
)  # fmt: skip

KERNEL = (
    called("pipes full of data", "kernel memory in sockets", "x = []\nfor _ in range(50):\n    a, b = socket.socketpair()\n    a.setblocking(False)\n    x += [a, b]\n    try:\n        while True: a.send(bytes(1 << 16))\n    except BlockingIOError: pass\nreturn 1", gives(1), "a, b = socket.socketpair()\na.send(b'x')\nreturn b.recv(1).decode()", "x", "socket"),
    called("large pipes", "kernel memory in pipes of a megabyte", "x = []\nfor _ in range(50):\n    r, w = os.pipe()\n    x.append((r, w))\n    try: fcntl.fcntl(w, 1031, 1 << 20)\n    except OSError: pass\n    os.set_blocking(w, False)\n    try:\n        while True: os.write(w, bytes(1 << 16))\n    except BlockingIOError: pass\nreturn len(x)", gives(50), "r, w = os.pipe()\nos.write(w, b'xy')\nreturn os.read(r, 2).decode()", "xy", "fcntl, os"),
    called("kernel memory of many", "spend the container's memory in sockets of many children, so that the server dies of it", """
        for _ in range(25):
            if os.fork() == 0:
                x = []
                for _ in range(60):
                    a, b = socket.socketpair()
                    a.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)
                    a.setblocking(False)
                    x += [a, b]
                    try:
                        while True: a.send(bytes(1 << 16))
                    except BlockingIOError: pass
                time.sleep(99)
        time.sleep(1)
        os._exit(0)""", (*hits(Limit.MEMORY, Limit.WALL), *fails("ProcessExit")), "p = os.fork()\nif p == 0:\n    a, b = socket.socketpair()\n    a.send(b'x')\n    os._exit(len(b.recv(9)))\nreturn os.waitpid(p, 0)[1] >> 8", 1, "os, socket, time"),
    called("descriptors in flight", "send descriptors through sockets and lose them there", """
        a, b = socket.socketpair()
        a.setblocking(False)
        try:
            while True: socket.send_fds(a, [b'x'], [a.fileno(), b.fileno()] * 20)
        except OSError: pass
        return 1""", gives(1), "a, b = socket.socketpair()\nsocket.send_fds(a, [b'x'], [0])\nreturn len(socket.recv_fds(b, 1, 1)[1])", 1, "socket"),
    called("processor affinity", "leave the processors to nobody else", "os.sched_setaffinity(0, {0})\nreturn 1", gives(1), "return 0 in os.sched_getaffinity(0) or len(os.sched_getaffinity(0)) > 0", True, "os"),
)  # fmt: skip

PROGRAMS = (*TIME, *GROWTH, *KERNEL)
