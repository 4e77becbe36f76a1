"""Leaks: a call leaves nothing for the next: no file, socket, process, patch, limit or random state."""

from __future__ import annotations

from nucleate_sandbox import Json
from tests.sandbox.escapes.attacks import Blocks, called
from tests.sandbox.escapes.case import Ending, Expect, Program, fails, gives

BETWEEN = (
    called("patched builtins", "patch what the next call uses", "builtins.len = lambda x: 0\njson.dumps = None\nreturn 1", (*fails("ProcessExit", "ProtocolError"), *gives(1)), "return builtins.len([1])", 1, "builtins, json"),
    called("patched import", "replace the import for the next call", "builtins.__import__ = lambda *a, **k: None\nreturn 1", gives(1), "return builtins.__import__('math').floor(1.5)", 1, "builtins"),
    called("patched module", "replace a function of a module that the next call uses", "math.floor = lambda x: 9\nsys.modules['random'] = None\nreturn math.floor(1.5)", gives(9), "return math.floor(1.5)", 1, "math, sys"),
    called("patched class", "give a class of the library another method", "json.JSONEncoder.encode = lambda self, o: 'forged'\njson.JSONDecoder.decode = lambda self, s: 'forged'\nreturn 1", (*gives(1), *fails("ProcessExit", "ProtocolError")), "return json.dumps([1])", "[1]", "json"),
    called("patched harness", "patch the server's own modules", "for n, m in list(sys.modules.items()):\n    if n.startswith('nucleate_guest'): m.__dict__.clear()\nreturn 1", fails("ProcessExit", "ProcessKilled", "NameError", "ProtocolError"), "return any(n.startswith('nucleate_guest') for n in sys.modules)", True, "sys"),
    called("grown path", "put a folder first on the path", "sys.path.insert(0, '/tmp')\nsys.meta_path.clear()\nreturn 1", gives(1), "return len(sys.meta_path) > 0", True, "sys"),
    called("recursion limit", "leave another recursion limit", "sys.setrecursionlimit(10 ** 6)\nreturn 1", gives(1), "return sys.getrecursionlimit()", 1000, "sys"),
    called("garbage collector", "switch the garbage collector off and freeze what is there", "gc.disable()\ngc.freeze()\nreturn 1", gives(1), "return gc.isenabled()", True, "gc"),
    called("digits of integers", "lift the bound on the digits of integers", "sys.set_int_max_str_digits(0)\nreturn len(str(10 ** 5000))", gives(5001), "return sys.get_int_max_str_digits()", 4300, "sys"),
    called("decimal context", "leave another precision", "decimal.getcontext().prec = 2\nreturn str(decimal.Decimal(1) / 3)", gives("0.33"), "return decimal.getcontext().prec", 28, "decimal"),
    called("locale", "leave another locale", "locale.setlocale(locale.LC_ALL, 'C')\nreturn 1", gives(1), "return locale.LC_ALL", 6, "locale"),
    called("time zone", "leave another time zone", "os.environ['TZ'] = 'Asia/Tokyo'\ntime.tzset()\nreturn time.tzname[0] in ('JST', 'Asia')", (*gives(True), *gives(False)), "return time.gmtime(0).tm_hour", 0, "os, time"),
    called("files and folders", "leave files", "open('/tmp/a', 'w').write('x')\nos.symlink('/', '/tmp/root')\nreturn 1", gives(1), "return os.listdir('/tmp')", [], "os"),
    called("hidden files", "leave files whose names begin with a dot", "open('/tmp/.a', 'w').write('x')\nos.mkdir('/tmp/..b')\nreturn 1", gives(1), "return os.listdir('/tmp')", [], "os"),
    called("user modules", "leave modules where the next interpreter looks", "os.makedirs('/tmp/.local/lib/python3.11/site-packages')\nopen('/tmp/.local/lib/python3.11/site-packages/usercustomize.py', 'w').write('1/0')\nopen('/tmp/sitecustomize.py', 'w').write('1/0')\nreturn 1", gives(1), "import subprocess, sys\nreturn subprocess.run([sys.executable, '-c', '1']).returncode", 0, "os"),
    called("umask and folder", "change the next call's umask and folder", "os.umask(0)\nos.chdir('/')\nos.environ['A'] = 'b'\nreturn 1", gives(1), "return os.getcwd()", "/tmp", "os"),
    called("seeded random", "make the next call's random numbers known", "random.seed(0)\nreturn 1", gives(1), "return random.Random(0).random()", 0.8444218515250481, "random"),
    called("state of random", "read the random state that others have", "return random.getstate()[1][:3] == random.Random(0).getstate()[1][:3]", gives(False), "return random.Random(3).randint(1, 1)", 1, "random"),
    called("abstract socket", "leave a socket that has no file", "s = socket.socket(socket.AF_UNIX)\ns.bind('\\0left')\ns.listen()\nos.fork() or time.sleep(99)\nreturn 1", gives(1), "s = socket.socket(socket.AF_UNIX)\ns.bind('\\0left')\nreturn 1", 1, "os, socket, time"),
    called("ignored signals", "change the next call's signals and lower its limits", "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nresource.setrlimit(resource.RLIMIT_NOFILE, (9, 9))\nreturn 1", gives(1), "return signal.getsignal(signal.SIGTERM) == signal.SIG_DFL", True, "resource, signal"),
    called("lowered server", "lower the limits of all processes of its user", "resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))\nreturn 1", gives(1), "return len(resource.getrlimit(resource.RLIMIT_NPROC))", 2, "resource"),
    called("locked file", "hold a lock on a file of the library", "f = open(os.__file__)\nfcntl.flock(f, fcntl.LOCK_EX)\nos.fork() or time.sleep(99)\nreturn 1", gives(1), "f = open(os.__file__)\nfcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)\nreturn 1", 1, "fcntl, os, time"),
    called("scheduling class", "leave the lowest scheduling class", "os.nice(19)\nreturn 1", fails("PermissionError"), "return os.getpriority(0, 0)", 0, "os"),
    called("shared memory of Python", "leave a block of shared memory", "shared_memory.SharedMemory(create=True, size=10, name='x')\nreturn 1", fails("PermissionError", "OSError", "FileNotFoundError", "ImportError", "ModuleNotFoundError"), "return 1", 1, "multiprocessing.shared_memory as shared_memory"),
)  # fmt: skip


def _copy(name: str, tries: str, code: str, docker: Expect, twin: str, value: Json) -> Program:
    return called(name, tries, code, docker, twin, value, "os, pathlib, socket")


COPIES = (
    _copy("link to the host", "leave a link where a host might read a file", "os.symlink('/etc/passwd', '/tmp/result.json')\nreturn '/tmp/result.json'", gives("/tmp/result.json"), "return os.path.islink('/tmp/result.json')", False),
    _copy("path as a result", "return a path for the host to open", "return pathlib.Path('/etc/passwd')", fails("TypeError"), "return str(pathlib.Path('/etc/passwd'))", "/etc/passwd"),
    _copy("open file as a result", "return a file for the host to read", "return open('/dev/null')", fails("TypeError"), "return open('/dev/null').read()", ""),
    _copy("FIFO", "leave a FIFO on which a reader would hang", "os.mkfifo('/tmp/f')\nreturn 'made'", fails("PermissionError"), "return os.path.exists('/tmp/f')", False),
    _copy("device to copy", "leave a device that a reader would read for ever", "os.mknod('/tmp/z', 0o20666, os.makedev(1, 5))\nreturn 'made'", fails("PermissionError"), "return os.read(os.open('/dev/zero', 0), 2).hex()", "0000"),
    _copy("socket to copy", "leave a socket among the files", "socket.socket(socket.AF_UNIX).bind('/tmp/s')\nreturn os.listdir('/tmp')", gives(["s"]), "return os.listdir('/tmp')", []),
    _copy("loop of links", "leave links that lead in a circle", "os.symlink('/tmp', '/tmp/a')\nos.symlink('/tmp/c', '/tmp/b')\nos.symlink('/tmp/b', '/tmp/c')\nreturn sorted(os.listdir('/tmp'))", gives(["a", "b", "c"]), "os.symlink('x', '/tmp/a')\nreturn os.readlink('/tmp/a')", "x"),
    _copy("link to a process", "leave a link into the process table", "os.symlink('/proc/self/root', '/tmp/r')\nreturn os.listdir('/tmp/r/root') if os.path.exists('/tmp/r/root') else []", gives([]), "return os.path.exists('/proc/self')", True),
    _copy("output as a link", "open its output anew to keep it past the end", "return open('/proc/self/fd/1', 'w').write('x')", fails("PermissionError", "FileNotFoundError"), "return os.write(1, b'x')", 1),
    _copy("name that is a path", "a file name that would climb where it is unpacked", "os.makedirs('/tmp/..\\\\..\\\\etc')\nopen('/tmp/%2e%2e', 'w').close()\nreturn len(os.listdir('/tmp'))", gives(2), "os.mkdir('/tmp/etc')\nreturn os.listdir('/tmp')", ["etc"]),
)  # fmt: skip

LEAVE = "import os, socket, time\nopen('/tmp/left', 'w').write('x')\ns = socket.socket(socket.AF_UNIX)\ns.bind('\\0left')\nos.fork() or time.sleep(99)\n1"
FOUND = "import os\n[os.listdir('/tmp'), [l for l in open('/proc/net/unix') if 'left' in l], len([n for n in os.listdir('/proc') if n.isdigit()])]"
KEPT = Program(
    name="session after a session",
    tries="leave a file, a socket and a process to the session that follows",
    attack=Blocks(blocks=((0, LEAVE), (1, FOUND))),
    docker=(Ending(value=[1, [[], [], 2]]),),
    twin=Blocks(blocks=((0, "x = 1\nx"), (1, "'x' in globals()"))),
    value=[1, False],
)
PROGRAMS = (*BETWEEN, *COPIES, KEPT)
