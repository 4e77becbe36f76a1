"""System: files, processes, kernel interfaces, dropped binaries and networks are out of reach."""

from __future__ import annotations

from tests.sandbox.escapes.case import Expect, Hostile, Twin, fails, gives, program

DENIED: Expect = fails(
    "PermissionError",
    "OSError",
    "FileNotFoundError",
    "ConnectionRefusedError",
    "gaierror",
    "URLError",
    "ValueError",
    "ProcessLookupError",
)


def _refused(name: str, tries: str, code: str, imports: str = "os, socket") -> Hostile:
    """Return a program whose attempt must raise inside; that it went on would be its value."""
    return Hostile(name=name, tries=tries, source=program(f"{code}\nreturn 'reached'", imports), docker=DENIED)


def _call(name: str, number: int, arguments: str = "0, 0, 0, 0, 0", error: str = "EPERM") -> Hostile:
    """Return a program that makes a system call by its number (x86-64)."""
    code = f"l = ctypes.CDLL(None, use_errno=True)\nreturn [l.syscall({number}, {arguments}), errno.errorcode.get(ctypes.get_errno())]"
    return Hostile(
        name=name, tries=f"system call {number}", source=program(code, "ctypes, errno"), docker=gives([-1, error])
    )


FILES = (
    _refused("host password file", "read the host's secrets", "open('/etc/shadow').read()"),
    _refused("host home", "list a home folder", "os.listdir('/root')"),
    _refused("memory of process 1", "write the server's memory", "open('/proc/1/mem', 'r+b')"),
    _refused("descriptors of process 1", "open the server's descriptors", "os.open('/proc/1/fd/3', os.O_RDWR)"),
    _refused("list of descriptors of process 1", "list the server's descriptors", "os.listdir('/proc/1/fd')"),
    _refused("environment of process 1", "read the server's environment", "open('/proc/1/environ').read()"),
    _refused("root of process 1", "walk through the server's root", "os.listdir('/proc/1/root')"),
    _refused("score of process 1", "make the server the first to die", "open('/proc/1/oom_score_adj', 'w').write('1000')"),
    _refused("map of process 1", "read the server's memory map", "open('/proc/1/maps').read()"),
    _refused("engine socket", "talk to the engine", "socket.socket(socket.AF_UNIX).connect('/var/run/docker.sock')"),
    _refused("meeting place", "take the server's place at the host", "socket.socket(1, socket.SOCK_SEQPACKET).connect('/run/nucleate/control')"),
    _refused("root file system", "write to the root", "open('/x', 'w')"),
    _refused("library", "patch the standard library for the next call", "open(os.__file__, 'a')"),
    _refused("server code", "patch the server", "open('/usr/local/lib/python3.11/nucleate_guest/child.py', 'a')"),
    _refused("core pattern", "have the kernel run a program on a crash", "open('/proc/sys/kernel/core_pattern', 'w')"),
    _refused("sysrq", "restart the machine", "open('/proc/sysrq-trigger', 'w')"),
    _refused("control group", "raise the memory limit", "open('/sys/fs/cgroup/memory/memory.limit_in_bytes', 'w')"),
    _refused("kernel memory", "read the kernel's memory", "open('/proc/kcore', 'rb').read(1) or open('/nothing')"),
    _refused("device", "make a block device", "os.mknod('/tmp/d', 0o60600, os.makedev(8, 0))"),
    _refused("user", "become root", "os.setuid(0)"),
    _refused("root", "change the root", "os.chroot('/tmp')"),
    _refused("other limits", "raise a limit", "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))", "resource"),
    _refused("limits of process 1", "take the server's descriptors away", "resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0))", "resource"),
    _refused("priority of process 1", "slow the server down", "os.setpriority(os.PRIO_PROCESS, 1, 19)"),
)  # fmt: skip
NETWORK = (
    _refused("IPv4", "an internet socket", "socket.socket(socket.AF_INET)"),
    _refused("IPv6", "an IPv6 socket", "socket.socket(socket.AF_INET6)"),
    _refused("raw packets", "a packet socket", "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"),
    _refused("netlink", "a netlink socket", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)"),
    _refused("vsock", "a socket to the hypervisor", "socket.socket(socket.AF_VSOCK)"),
    _refused("AF_ALG", "the kernel's cipher interface", "socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)"),
    _refused("bluetooth", "a bluetooth socket", "socket.socket(31, socket.SOCK_RAW, 1)"),
    _refused("metadata address", "the cloud's metadata", "socket.create_connection(('169.254.169.254', 80), timeout=1)"),
    _refused("name service", "resolve a name", "socket.getaddrinfo('example.org', 80)"),
    _refused("HTTP", "fetch a page", "urllib.request.urlopen('http://127.0.0.1:1/')", "urllib.request"),
    _refused("abstract socket of the host", "reach an abstract socket outside", "socket.socket(socket.AF_UNIX).connect('\\0/tmp/.X11-unix/X0')"),
)  # fmt: skip
CALLS = (
    _call("ptrace", 101, "16, 1, 0, 0, 0"), _call("process_vm_readv", 310, "1, 0, 0, 0, 0"),
    _call("process_vm_writev", 311, "1, 0, 0, 0, 0"), _call("pidfd_getfd", 438, "3, 3, 0, 0, 0"),
    _call("unshare", 272, "0x10000000, 0, 0, 0, 0"), _call("clone into namespaces", 56, "0x10000000, 0, 0, 0, 0"),
    _call("clone3", 435, error="ENOSYS"), _call("setns", 308), _call("mount", 165), _call("pivot_root", 155),
    _call("fsopen", 430), _call("open_tree", 428), _call("move_mount", 429), _call("keyctl", 250), _call("add_key", 248),
    _call("bpf", 321), _call("perf_event_open", 298), _call("userfaultfd", 323), _call("io_uring_setup", 425),
    _call("memfd_create", 319), _call("memfd_secret", 447), _call("execveat", 322), _call("open_by_handle_at", 304),
    _call("init_module", 175), _call("kexec_load", 246), _call("shmget", 29, "1, 4096, 0o1666, 0, 0"), _call("msgget", 68, "1, 0o1666, 0, 0, 0"),
    _call("semget", 64, "1, 1, 0o1666, 0, 0"), _call("mq_open", 240), _call("personality", 135, "0x0400000, 0, 0, 0, 0"),
    _call("seccomp", 317), _call("landlock", 444), _call("setxattr", 188), _call("inotify_init", 253), _call("fanotify_init", 300),
    _call("name_to_handle_at", 303), _call("modify_ldt", 154), _call("iopl", 172), _call("syslog", 103), _call("process_madvise", 440),
)  # fmt: skip
RUNS = (
    Hostile(name="32-bit call", tries="a call by int 0x80, past the filter for 64 bits", source=program("""
        m = mmap.mmap(-1, 4096, prot=7)
        m.write(b'\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3')
        return ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))()""", "ctypes, mmap"), docker=fails("ProcessKilled")),
    Hostile(name="x32 call", tries="a call with the x32 bit", source=program("return ctypes.CDLL(None).syscall(0x40000000 + 39)", "ctypes"), docker=fails("ProcessKilled")),
    _refused("dropped script", "run a script from the work folder", "open('/tmp/p', 'w').write('#!/usr/local/bin/nucleate-python\\n')\nos.chmod('/tmp/p', 0o755)\nos.execv('/tmp/p', ['p'])"),
    _refused("dropped ELF", "run a binary from the work folder", "open('/tmp/p', 'wb').write(b'\\x7fELF' + bytes(200))\nos.chmod('/tmp/p', 0o755)\nos.execv('/tmp/p', ['p'])"),
    _refused("copy of the interpreter", "copy the interpreter's binary", "open('/proc/self/exe', 'rb').read()"),
    Hostile(name="loader as prefix", tries="have the loader run a binary past noexec", source=program("""
        data = open('/lib64/ld-linux-x86-64.so.2', 'rb').read()
        open('/tmp/p', 'wb').write(data)
        os.chmod('/tmp/p', 0o755)
        return subprocess.run(['/lib64/ld-linux-x86-64.so.2', '/tmp/p', '--version'], capture_output=True).returncode""", "os, subprocess"), docker=gives(127)),
    _refused("/proc/self/fd", "run a file by its descriptor", "open('/tmp/p', 'wb').write(b'\\x7fELF' + bytes(200))\nos.chmod('/tmp/p', 0o755)\nd = os.open('/tmp/p', os.O_RDONLY)\nos.execve(d, ['p'], {})"),
    _refused("shell", "start a shell", "subprocess.run(['/bin/sh', '-c', 'id'])", "subprocess"),
    _refused("library from the work folder", "load a shared object from the work folder", "import shutil\nshutil.copy('/lib64/ld-linux-x86-64.so.2', '/tmp/l.so')\nctypes.CDLL('/tmp/l.so')", "ctypes"),
    Hostile(name="fresh interpreter", tries="start the interpreter anew, without the harness", source=program("""
        code = 'import os; print(os.getuid() > 0, dict(os.environ), os.listdir("/proc/self/fd").__len__() > 9)'
        r = subprocess.run([sys.executable, '-I', '-c', code], capture_output=True, text=True)
        return r.stdout.split()[:1]""", "subprocess, sys"), docker=gives(["True"])),
    Hostile(name="signals to process 1", tries="end or stop the server", source=program("for n in range(1, 65):\n    try: os.kill(1, n)\n    except OSError: pass\nreturn 'alive'", "os"), docker=gives("alive")),
    Hostile(name="signals to all", tries="kill every process it may", source=program("os.kill(-1, 9)\nreturn 'alive'", "os"), docker=fails("ProcessLookupError", "ProcessKilled")),
    Hostile(name="inherited descriptors", tries="use every descriptor above the four that it was given", source=program("""
        found = []
        for n in range(4, 1024):
            try:
                os.fstat(n)
                found.append(n)
            except OSError: pass
        return found""", "os"), docker=gives([])),
    Hostile(name="dumpable", tries="make itself readable, and process 1 with it", source=program("""
        l = ctypes.CDLL(None)
        l.prctl(4, 1, 0, 0, 0)
        try: return os.listdir('/proc/1/fd')
        except OSError as e: return type(e).__name__""", "ctypes, os"), docker=gives("PermissionError")),
)  # fmt: skip
PROGRAMS = (*FILES, *NETWORK, *CALLS, *RUNS)
TWINS = (
    Twin(name="the time zone data or its absence", source=program("import datetime\nreturn str(datetime.date(2024, 2, 29))"), value="2024-02-29"),
    Twin(name="a local socket pair", source=program("a, b = socket.socketpair()\na.send(b'x')\nreturn b.recv(1).decode()", "socket"), value="x"),
    Twin(name="one's own limits", source=program("return resource.getrlimit(resource.RLIMIT_CORE)[0]", "resource"), value=0),
    Twin(name="the C library", source=program("return ctypes.CDLL(None).abs(-4)", "ctypes"), value=4),
)  # fmt: skip
