"""Isolation at the same time: two sessions, and two tenants, see and reach nothing of each other while both run."""

from __future__ import annotations

from nucleate_sandbox import Json, Limits
from tests.sandbox.escapes.attacks import Blocks
from tests.sandbox.escapes.case import QUICK, Ending, Program

Lines = tuple[int, str]
SPINNING = Limits(wall_seconds=30.0, cpu_seconds=0.5)
NAME = "try:\n    {}\n    got = 'reached'\nexcept OSError as e:\n    got = type(e).__name__\ngot"
LISTEN = "import socket\ns = socket.socket(socket.AF_UNIX)\ns.bind({!r})\ns.listen()\n1"
CONNECT = "import socket\n" + NAME.format("socket.socket(socket.AF_UNIX).connect({!r})")
PIDS = "import os\nsorted(n for n in os.listdir('/proc') if n.isdigit() and n not in ('1', str(os.getpid())))"


def _both(
    name: str,
    tries: str,
    blocks: tuple[Lines, ...],
    docker: list[Json],
    twin: tuple[Lines, ...],
    value: list[Json],
    limits: Limits = QUICK,
) -> list[Program]:
    """Return the program for two sessions of a sandbox, and for two tenants."""
    return [
        Program(
            name=f"{name} ({words})",
            tries=tries,
            attack=Blocks(blocks=blocks, tenants=tenants, limits=limits),
            docker=(Ending(value=docker),),
            twin=Blocks(blocks=twin, tenants=tenants, limits=limits),
            value=value,
        )
        for words, tenants in (("sessions", False), ("tenants", True))
    ]  # fmt: skip


PROGRAMS = (
    *_both("abstract sockets", "meet the other at an abstract socket", ((0, LISTEN.format("\0meet")), (1, CONNECT.format("\0meet"))), [1, "ConnectionRefusedError"],
           ((0, LISTEN.format("\0meet")), (1, LISTEN.format("\0meet"))), [1, 1]),
    *_both("sockets in the work folder", "meet the other at a socket of the file system", ((0, LISTEN.format("/tmp/meet")), (1, CONNECT.format("/tmp/meet"))), [1, "FileNotFoundError"],
           ((0, LISTEN.format("/tmp/meet")), (1, LISTEN.format("/tmp/meet"))), [1, 1]),
    *_both("files in the work folder", "read the other's files", ((0, "open('/tmp/secret', 'w').write('mine')"), (1, "import os\nos.listdir('/tmp')")), [4, []],
           ((0, "open('/tmp/x', 'w').write('a')"), (1, "open('/tmp/x', 'w').write('bb')"), (0, "open('/tmp/x').read()")), [1, 2, "a"]),
    *_both("full disk", "leave the other no room on the disk", ((0, "try:\n    for n in range(99): open(f'/tmp/{n}', 'wb').write(bytes(1 << 20))\nexcept OSError as e: got = e.errno\ngot"), (1, "open('/tmp/x', 'wb').write(bytes(8 << 20))")), [28, 8388608],
           ((0, "open('/tmp/x', 'wb').write(b'a')"), (1, "open('/tmp/x', 'wb').write(b'b')")), [1, 1]),
    *_both("shared memory of POSIX", "meet the other in shared memory", ((0, NAME.format("open('/dev/shm/meet', 'w').write('x')")), (1, NAME.format("open('/dev/shm/meet').read()"))), ["FileNotFoundError", "FileNotFoundError"],
           ((0, "import mmap\nlen(mmap.mmap(-1, 4096))"), (1, "import mmap\nlen(mmap.mmap(-1, 8192))")), [4096, 8192]),
    *_both("System V", "meet the other at a key of System V", ((0, "import ctypes\nl = ctypes.CDLL(None)\n[l.shmget(77, 4096, 0o1666), l.msgget(77, 0o1666), l.semget(77, 1, 0o1666)]"), (1, "open('/proc/sysvipc/shm').read().splitlines()[1:] if __import__('os').path.exists('/proc/sysvipc/shm') else []")), [[-1, -1, -1], []],
           ((0, "import ctypes\nctypes.CDLL(None).abs(-1)"), (1, "import ctypes\nctypes.CDLL(None).abs(-2)")), [1, 2]),
    *_both("key rings", "leave the other a key in a ring of its user", ((0, "import ctypes\nl = ctypes.CDLL(None)\n[l.syscall(248, b'user', b'k', b'v', 1, -4), l.syscall(250, 0, -4, 1, 0, 0)]"), (1, "import ctypes\nctypes.CDLL(None).syscall(249, b'user', b'k', 0, 0, 0)")), [[-1, -1], -1],
           ((0, "import os\nos.getuid() > 0"), (1, "import os\nos.getgid() > 0")), [True, True]),
    *_both("process table", "see the other's processes", ((0, "import os, time\nchild = os.fork()\nif child == 0: time.sleep(99)\n1"), (1, PIDS)), [1, []],
           ((0, PIDS), (1, PIDS)), [[], []]),
    *_both("signals", "kill what has the other's number", ((0, "import os\nn = os.getpid()\nn > 1"), (1, "import os, signal\nfor n in range(2, 400):\n    if n != os.getpid():\n        try: os.kill(n, signal.SIGKILL)\n        except OSError: pass\n1"), (0, "n == os.getpid()")), [True, 1, True],
           ((0, "import os\nos.kill(os.getpid(), 0)\n1"), (1, "2")), [1, 2]),
    *_both("signals to all", "kill everything that it may", ((0, "x = 5\nx"), (1, "import os\ntry: os.kill(-1, 9)\nexcept ProcessLookupError: pass\n1"), (0, "x")), [5, 1, 5],
           ((0, "x = 5\nx"), (1, "x = 6\nx"), (0, "x")), [5, 6, 5]),
    *_both("ptrace of a sibling", "trace what has the other's number", ((0, "1"), (1, "import ctypes, os\nl = ctypes.CDLL(None)\n{l.ptrace(16, n, 0, 0) for n in range(1, 300)} == {-1}")), [1, True],
           ((0, "1"), (1, "import ctypes\nctypes.CDLL(None).abs(-3)")), [1, 3]),
    *_both("memory of a sibling", "read the memory of what has the other's number", ((0, "secret = 'm1ne'\n1"), (1, "import os\nfound = []\nfor n in os.listdir('/proc'):\n    if n.isdigit():\n        try: found.append(open(f'/proc/{n}/mem', 'rb'))\n        except OSError: pass\nlen(found)")), [1, 0],
           ((0, "1"), (1, "import os\nos.path.exists('/proc/self/status')")), [1, True]),
    *_both("patched builtins of a neighbour", "patch a builtin under the other", ((0, "import builtins, math, string\nbuiltins.sorted = math.floor = string.capwords = lambda *a: 'forged'\n1"), (1, "import math, string\n[sorted([2, 1]), math.floor(1.5), string.capwords('a')]")), [1, [[1, 2], 1, "A"]],
           ((0, "sorted([2, 1])"), (1, "sorted([4, 3])")), [[1, 2], [3, 4]]),
    *_both("patched harness of a neighbour", "patch the harness under the other", ((0, "import sys\nsys.modules['nucleate_guest.programs'].Notebook.run = lambda *a: 'forged'\n1"), (1, "6 * 7"), (1, "6 * 8")), [1, 42, 48],
           ((0, "1"), (1, "6 * 7")), [1, 42]),
    *_both("names of a neighbour", "see the other's names", ((0, "secret = 'mine'\n1"), (1, "'secret' in globals()")), [1, False],
           ((0, "mine = 'a'\nmine"), (1, "mine = 'b'\nmine"), (0, "mine")), ["a", "b", "a"]),
    *_both("descriptors of a neighbour", "use a descriptor of the other's number", ((0, "import os\nd = os.open('/tmp', os.O_RDONLY)\nd > 3"), (1, "import os\nfound = []\nfor n in range(4, 200):\n    try: found.append(os.fstat(n).st_mode)\n    except OSError: pass\nfound")), [True, []],
           ((0, "import os\nos.fstat(0).st_nlink > 0"), (1, "import os\nos.fstat(0).st_nlink > 0")), [True, True]),
    *_both("processor for itself", "leave the other no processor", ((0, "import os\nfor _ in range(20):\n    if os.fork() == 0:\n        while True: pass\n1"), (1, "sum(range(1000))")), [1, 499500],
           ((0, "sum(range(10))"), (1, "sum(range(20))")), [45, 190]),
    *_both("processes for itself", "leave the other no process", ((0, "import os, time\nn = 0\ntry:\n    while True:\n        if os.fork() == 0: time.sleep(99)\n        n += 1\nexcept OSError as e: got = type(e).__name__\ngot"), (1, "import os\np = os.fork()\nif p == 0: os._exit(3)\nos.waitpid(p, 0)[1] >> 8")), ["BlockingIOError", 3],
           ((0, "import os\nos.getpid() > 1"), (1, "import os\np = os.fork()\nif p == 0: os._exit(4)\nos.waitpid(p, 0)[1] >> 8")), [True, 4]),
    *_both("memory for itself", "leave the other no memory", ((0, "x = bytearray(b'x') * (200 << 20)\nlen(x)"), (1, "len(bytearray(b'x') * (100 << 20))")), [209715200, 104857600],
           ((0, "len(bytearray(10))"), (1, "len(bytearray(20))")), [10, 20]),
    *_both("death beside a neighbour", "die, and take the other along", ((1, "x = 5\nx"), (0, "import ctypes\nctypes.string_at(0)"), (1, "x"), (0, "7")), [5, "ProcessKilled", 5, 7],
           ((1, "x = 5\nx"), (0, "6"), (1, "x"), (0, "7")), [5, 6, 5, 7]),
    *_both("time-out beside a neighbour", "run into its limit, and take the other along", ((1, "x = 5\nx"), (0, "while True: pass"), (1, "x"), (0, "7")), [5, "limit: cpu time", 5, 7],
           ((1, "x = 5\nx"), (0, "sum(range(10))"), (1, "x"), (0, "7")), [5, 45, 5, 7], SPINNING),
    *_both("random of a neighbour", "know the other's random numbers", ((0, "import random\nrandom.seed(1)\nrandom.random()"), (1, "import random\nrandom.random() == 0.13436424411240122")), [0.13436424411240122, False],
           ((0, "import random\nrandom.Random(1).random()"), (1, "import random\nrandom.Random(1).random()")), [0.13436424411240122, 0.13436424411240122]),
    *_both("cgroup of a neighbour", "reach the other's control group", ((0, "1"), (1, "import os\nfound = []\nfor top, folders, files in os.walk('/sys/fs/cgroup'):\n    found += [f for f in folders if len(f) == 64]\nfound")), [1, []],
           ((0, "1"), (1, "import os\nos.path.isdir('/sys/fs/cgroup')")), [1, True]),
)  # fmt: skip
