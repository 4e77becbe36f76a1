"""System, files and processes: the host's, the server's and everybody else's are out of reach."""

from __future__ import annotations

from nucleate_sandbox import Json
from tests.sandbox.escapes.attacks import called
from tests.sandbox.escapes.case import Expect, Program, fails, gives

DENIED: Expect = fails("PermissionError")
ABSENT: Expect = fails("FileNotFoundError")
READ_ONLY: Expect = fails("OSError")


def _refused(
    name: str, tries: str, code: str, docker: Expect, twin: str, value: Json, imports: str = "os, socket"
) -> Program:
    """Return a program whose attempt must raise inside; that it went on would be its value."""
    return called(name, tries, f"{code}\nreturn 'reached'", docker, twin, value, imports)


def _server(name: str, tries: str, file: str, twin: str, value: Json, mode: str = "rb") -> Program:
    """Return a program that opens a file of process 1; its twin looks at one's own."""
    return _refused(name, tries, f"open('/proc/1/{file}', {mode!r}).read()", DENIED, twin, value)


HOST = (
    _refused("host password file", "read the host's secrets", "open('/etc/shadow').read()", ABSENT, "return os.path.exists('/etc')", True),
    _refused("host home", "list a home folder", "os.listdir('/root')", ABSENT, "return os.path.exists('/tmp')", True),
    _refused("host mounts", "find a mounted folder of the host", "[m for m in open('/proc/self/mountinfo') if m.split()[4].startswith(('/home', '/root', '/work', '/mnt', '/var'))][0]", fails("IndexError"), "return any(' /tmp ' in m for m in open('/proc/self/mountinfo'))", True),
    _refused("host disk", "find a block device to read", "open([p for p in ('/dev/sda', '/dev/vda', '/dev/nvme0n1', '/dev/dm-0') if os.path.exists(p)][0])", fails("IndexError"), "return os.path.exists('/dev/null')", True),
    _refused("devices", "find a device beyond the usual", "os.open('/dev/kmsg', os.O_RDONLY)", ABSENT, "return os.read(os.open('/dev/zero', os.O_RDONLY), 1).hex()", "00"),
    _refused("tun device", "make a network by a tunnel device", "os.open('/dev/net/tun', os.O_RDWR)", ABSENT, "return os.path.exists('/dev/full')", True),
    _refused("terminal", "push keys into a terminal of the host", "os.open('/dev/tty', os.O_RDWR)", fails("OSError", "FileNotFoundError"), "return os.isatty(1)", False),
    _refused("engine socket", "talk to the engine", "socket.socket(socket.AF_UNIX).connect('/var/run/docker.sock')", ABSENT, "return socket.socket(socket.AF_UNIX).getsockname()", ""),
    _refused("engine socket elsewhere", "find the engine's or containerd's socket", "[socket.socket(socket.AF_UNIX).connect(p) for p in ('/run/docker.sock', '/run/containerd/containerd.sock')]", ABSENT, "return os.listdir('/run')", ["nucleate"]),
    _refused("meeting place", "take the server's place at the host", "socket.socket(1, socket.SOCK_SEQPACKET).connect('/run/nucleate/control')", fails("FileNotFoundError", "ConnectionRefusedError"), "return os.listdir('/run/nucleate')", []),
    _refused("meeting folder", "leave a file in the folder that the host made", "open('/run/nucleate/x', 'w')", fails("OSError", "FileNotFoundError", "PermissionError"), "return os.access('/run/nucleate', os.W_OK)", False),
    _refused("root file system", "write to the root", "open('/x', 'w')", READ_ONLY, "return os.access('/', os.R_OK)", True),
    _refused("remount by a link", "write to the root by a link from the work folder", "os.symlink('/', '/tmp/r')\nopen('/tmp/r/x', 'w')", READ_ONLY, "os.symlink('/tmp', '/tmp/r')\nopen('/tmp/r/x', 'w').write('y')\nreturn open('/tmp/x').read()", "y"),
    _refused("climbing path", "climb out of the work folder", "open('/tmp/../../../../etc/shadow')", ABSENT, "return os.path.realpath('/tmp/../tmp')", "/tmp"),
    _refused("library", "patch the standard library for the next call", "open(os.__file__, 'a')", fails("PermissionError", "OSError"), "return os.__file__.endswith('os.py')", True),
    _refused("server code", "patch the server", "open(os.path.dirname(os.__file__) + '/nucleate_guest/child.py', 'a')", fails("PermissionError", "OSError", "FileNotFoundError"), "return os.path.isdir(os.path.dirname(os.__file__))", True),
    _refused("bytecode of the library", "plant bytecode for the next import", "open(os.path.dirname(os.__file__) + '/__pycache__/x.pyc', 'w')", fails("PermissionError", "OSError"), "return os.path.basename(os.__file__)", "os.py"),
    _refused("shared memory", "leave a file in shared memory", "open('/dev/shm/x', 'w')", fails("PermissionError", "OSError", "FileNotFoundError"), "return os.access('/dev/shm', os.W_OK)", False),
    _refused("message queue", "leave a message queue", "open('/dev/mqueue/x', 'w')", fails("PermissionError", "OSError", "FileNotFoundError"), "return os.access('/dev/mqueue', os.W_OK)", False),
)  # fmt: skip

SERVER = (
    _server("memory of process 1", "write the server's memory", "mem", "return os.path.exists('/proc/self/mem')", True, "r+b"),
    _server("environment of process 1", "read the server's environment", "environ", "return dict(os.environ)", {}),
    _server("map of process 1", "read the server's memory map", "maps", "return os.path.exists('/proc/self/maps')", True),
    _server("stack of process 1", "read the server's stack", "stack", "return open('/proc/self/comm').read().strip()[:8]", "nucleate"),
    _server("input of process 1", "read what the server waits for", "syscall", "return os.path.exists('/proc/self/stat')", True),
    _server("auxiliary vector of process 1", "learn the server's addresses", "auxv", "return len(open('/proc/1/stat').read().split()) > 40", True),
    _server("user map of process 1", "map users into the server's namespace", "uid_map", "return open('/proc/self/uid_map').read().split()", ["0", "0", "4294967295"], "w"),
    _refused("descriptors of process 1", "open the server's descriptors", "os.open('/proc/1/fd/3', os.O_RDWR)", DENIED, "return os.open('/proc/self/fd/0', os.O_RDONLY) > 3", True),
    _refused("list of descriptors of process 1", "list the server's descriptors", "os.listdir('/proc/1/fd')", DENIED, "return '0' in os.listdir('/proc/self/fd') or os.path.exists('/dev/null')", True),
    _refused("root of process 1", "walk through the server's root", "os.listdir('/proc/1/root')", DENIED, "return 'tmp' in os.listdir('/')", True),
    _refused("folder of process 1", "walk through the server's folder", "os.listdir('/proc/1/cwd/../..')", DENIED, "return os.getcwd()", "/tmp"),
    _refused("namespaces of process 1", "open the server's namespaces", "open('/proc/1/ns/pid')", DENIED, "return os.path.isdir('/proc/1')", True),
    _refused("score of process 1", "make the server the first to die", "open('/proc/1/oom_score_adj', 'w').write('1000')", DENIED, "return int(open('/proc/1/oom_score_adj').read()) <= 0", True),
    _refused("name of process 1", "rename the server", "open('/proc/1/comm', 'w').write('x')", fails("PermissionError", "OSError"), "return len(open('/proc/1/comm').read()) > 1", True),
    _refused("limits of process 1", "take the server's descriptors away", "resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0))", DENIED, "return resource.getrlimit(resource.RLIMIT_CORE)[0]", 0, "resource"),
    _refused("priority of process 1", "slow the server down", "os.setpriority(os.PRIO_PROCESS, 1, 19)", DENIED, "return os.getpriority(os.PRIO_PROCESS, 0)", 0),
    _refused("processors of process 1", "bind the server to one processor", "os.sched_setaffinity(1, {0})", DENIED, "return len(os.sched_getaffinity(0)) > 0", True),
    _refused("scheduling of process 1", "give the server the lowest class", "os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0))", DENIED, "return os.sched_getscheduler(0)", 0),
    called("signals to process 1", "end or stop the server", "for n in range(1, 65):\n    try: os.kill(1, n)\n    except OSError: pass\nreturn 'alive'", gives("alive"), "os.kill(1, 0)\nreturn 'alive'", "alive", "os"),
    called("queued signals to process 1", "fill the server's queue of signals", "l = ctypes.CDLL(None)\nfor n in range(10 ** 4): l.sigqueue(1, 34 + n % 30, 0)\nreturn 'alive'", gives("alive"), "return ctypes.CDLL(None).sigqueue(0, 99, 0)", -1, "ctypes"),
    called("pidfd signal to process 1", "end the server by a handle", "h = os.pidfd_open(1)\ntry: signal.pidfd_send_signal(h, 9)\nexcept OSError as e: return type(e).__name__", gives("PermissionError"), "return os.pidfd_open(os.getpid()) > 2", True, "os, signal"),
    called("signals to all", "kill every process it may", "os.kill(-1, 9)\nreturn 'alive'", fails("ProcessLookupError", "ProcessKilled"), "os.kill(os.getpid(), 0)\nreturn 'alive'", "alive", "os"),
    called("dumpable", "make itself readable, and process 1 with it", "l = ctypes.CDLL(None)\nl.prctl(4, 1, 0, 0, 0)\ntry: return os.listdir('/proc/1/fd')\nexcept OSError as e: return type(e).__name__", gives("PermissionError"), "return ctypes.CDLL(None).prctl(3, 0, 0, 0, 0)", 0, "ctypes, os"),
    called("debugger for everybody", "allow every process to trace it, then be traced by a child", "l = ctypes.CDLL(None, use_errno=True)\nl.prctl(0x59616d61, -1, 0, 0, 0)\nif os.fork() == 0:\n    os._exit(1 if l.ptrace(16, os.getppid(), 0, 0) == 0 else 0)\nreturn os.wait()[1] >> 8", gives(0), "if os.fork() == 0: os._exit(0)\nreturn os.wait()[1]", 0, "ctypes, os"),
    called("no new privileges", "take back that it can gain no privileges", "return ctypes.CDLL(None).prctl(38, 0, 0, 0, 0)", gives(-1), "return ctypes.CDLL(None).prctl(39, 0, 0, 0, 0)", 1, "ctypes"),
    called("capability of its parents", "raise an ambient capability", "return ctypes.CDLL(None).prctl(47, 2, 21, 0, 0)", gives(-1), "return ctypes.CDLL(None).prctl(47, 1, 21, 0, 0)", 0, "ctypes"),
    called("subreaper", "keep its orphans from process 1", "ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)\nif os.fork() == 0:\n    os.fork() or time.sleep(99)\n    os._exit(0)\nreturn 1", gives(1), "return ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)", 0, "ctypes, os, time"),
    called("inherited descriptors", "use every descriptor above the four that it was given", """
        found = []
        for n in range(4, 1024):
            try:
                os.fstat(n)
                found.append(n)
            except OSError: pass
        return found""", gives([]), "return os.fstat(0).st_rdev == os.stat('/dev/null').st_rdev", True, "os"),
)  # fmt: skip

SETTINGS = (
    _refused("core pattern", "have the kernel run a program on a crash", "open('/proc/sys/kernel/core_pattern', 'w')", READ_ONLY, "return len(open('/proc/sys/kernel/ostype').read())", 6),
    _refused("uevent helper", "have the kernel run a program on an event", "open('/sys/kernel/uevent_helper', 'w')", fails("OSError", "FileNotFoundError", "PermissionError"), "return os.path.isdir('/sys/kernel')", True),
    _refused("modprobe", "have the kernel run a program for a module", "open('/proc/sys/kernel/modprobe', 'w')", fails("OSError", "FileNotFoundError"), "return os.path.exists('/proc/sys/kernel')", True),
    _refused("program formats", "register an interpreter for programs", "open('/proc/sys/fs/binfmt_misc/register', 'w')", fails("OSError", "FileNotFoundError", "PermissionError"), "return os.path.isdir('/proc/sys/fs')", True),
    _refused("release agent", "have the kernel run a program when a control group is empty", "open('/sys/fs/cgroup/memory/release_agent', 'w')", fails("OSError", "FileNotFoundError", "PermissionError"), "return os.path.isdir('/sys/fs/cgroup')", True),
    _refused("control group", "raise the memory limit", "[open(p, 'w') for p in ('/sys/fs/cgroup/memory/memory.limit_in_bytes', '/sys/fs/cgroup/memory.max') if os.path.exists(p)]", fails("OSError", "PermissionError"), "return len(os.listdir('/sys/fs/cgroup')) > 0", True),
    _refused("new control group", "make a control group of its own", "os.mkdir('/sys/fs/cgroup/memory/x' if os.path.isdir('/sys/fs/cgroup/memory') else '/sys/fs/cgroup/x')", fails("OSError", "PermissionError"), "return os.access('/sys/fs/cgroup', os.W_OK)", False),
    _refused("frozen container", "freeze its own container", "open('/sys/fs/cgroup/freezer/freezer.state' if os.path.isdir('/sys/fs/cgroup/freezer') else '/sys/fs/cgroup/cgroup.freeze', 'w')", fails("OSError", "PermissionError"), "return os.path.exists('/sys/fs/cgroup')", True),
    _refused("sysrq", "restart the machine", "open('/proc/sysrq-trigger', 'w')", fails("FileNotFoundError", "OSError", "PermissionError"), "return os.path.exists('/proc/uptime')", True),
    _refused("kernel memory", "read the kernel's memory", "open('/proc/kcore', 'rb').read(1) or open('/nothing')", fails("FileNotFoundError", "PermissionError"), "return os.path.exists('/proc/meminfo')", True),
    _refused("kernel keys", "read the names of keys", "open('/proc/keys').read(1) or open('/nothing')", fails("FileNotFoundError", "PermissionError"), "return len(open('/proc/loadavg').read(1))", 1),
    _refused("timer list", "read the timers of all processes", "open('/proc/timer_list').read(1) or open('/nothing')", fails("FileNotFoundError", "PermissionError"), "return os.path.exists('/proc/stat')", True),
    _refused("firmware", "read what the firmware tells", "os.listdir('/sys/firmware')[0]", fails("IndexError", "FileNotFoundError"), "return os.path.isdir('/sys')", True),
    _refused("power state", "suspend the machine", "open('/sys/power/state', 'w')", fails("OSError", "FileNotFoundError", "PermissionError"), "return os.access('/sys', os.W_OK)", False),
    _refused("debug file system", "read the kernel's debug files", "os.listdir('/sys/kernel/debug')[0]", fails("IndexError", "FileNotFoundError", "PermissionError"), "return os.path.isdir('/sys/class')", True),
    _refused("host name", "rename the machine", "socket.sethostname('x')", DENIED, "return socket.gethostname()", "sandbox"),
    _refused("clock", "set the clock", "time.clock_settime(time.CLOCK_REALTIME, 0)", DENIED, "return time.gmtime(0).tm_year", 1970, "time"),
    _refused("device", "make a block device", "os.mknod('/tmp/d', 0o60600, os.makedev(8, 0))", DENIED, "return os.makedev(1, 3)", 259),
    _refused("user", "become root", "os.setuid(0)", DENIED, "os.setuid(os.getuid())\nreturn os.getuid() > 0", True),
    _refused("group", "join the engine's group", "os.setgroups([0])", DENIED, "return os.getgroups()", [61234]),
    _refused("root", "change the root", "os.chroot('/tmp')", DENIED, "os.chdir('/tmp')\nreturn os.getcwd()", "/tmp"),
    _refused("set-user-id file", "leave a program that runs as root", "open('/tmp/s', 'w').close()\nos.chown('/tmp/s', 0, 0)", DENIED, "open('/tmp/s', 'w').close()\nos.chmod('/tmp/s', 0o755)\nreturn os.stat('/tmp/s').st_uid == os.getuid()", True),
    _refused("other limits", "raise a limit", "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))", fails("ValueError", "PermissionError"), "resource.setrlimit(resource.RLIMIT_CORE, (0, 0))\nreturn resource.getrlimit(resource.RLIMIT_CORE)", [0, 0], "resource"),
    _refused("priority", "run before everybody else", "os.nice(-5)", DENIED, "return os.getpriority(os.PRIO_PROCESS, 0)", 0),
    _refused("real time", "run in real time", "os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))", DENIED, "return os.sched_get_priority_max(os.SCHED_FIFO)", 99),
)  # fmt: skip

PROGRAMS = (*HOST, *SERVER, *SETTINGS)
