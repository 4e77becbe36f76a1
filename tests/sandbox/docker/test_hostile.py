"""Programs that attack the server, the channel, the container or the next call."""

from __future__ import annotations

import pytest

from nucleate_sandbox import DockerSandbox, Failure, Json
from tests.sandbox.docker.programs import DEFAULT, call, module

pytestmark = pytest.mark.docker
HELLO = module("def tool():\n    return 'hello'\n")

REFUSED = {
    "the server's memory": "open('/proc/1/mem', 'r+b')",
    "the server's descriptors": "os.listdir('/proc/1/fd')",
    "the server's environment": "open('/proc/1/environ').read()",
    "the server's limits": "resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0))",
    "the server's priority": "os.setpriority(os.PRIO_PROCESS, 1, 19)",
    "the server's processors": "os.sched_setaffinity(1, {0})",
    "an internet socket": "socket.socket(socket.AF_INET)",
    "an IPv6 socket": "socket.socket(socket.AF_INET6)",
    "a netlink socket": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "a vsock": "socket.socket(socket.AF_VSOCK)",
    "a raw packet socket": "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
    "a name server": "socket.getaddrinfo('example.org', 80)",
    "the metadata address": "socket.create_connection(('169.254.169.254', 80), timeout=1)",
    "the engine's socket": "socket.socket(socket.AF_UNIX).connect('/var/run/docker.sock')",
    "the server's meeting place": "socket.socket(1, socket.SOCK_SEQPACKET).connect('/run/nucleate/control')",
    "a file in memory": "os.memfd_create('x')",
    "a write to the root": "open('/x', 'w')",
    "a write to the library": "open(os.__file__, 'w')",
    "a write to shared memory": "open('/dev/shm/x', 'w')",
    "a write to the queues": "open('/dev/mqueue/x', 'w')",
    "a kernel setting": "open('/proc/sys/kernel/core_pattern', 'w')",
    "a control group": "open('/sys/fs/cgroup/memory/memory.limit_in_bytes', 'w')",
    "a device": "os.mknod('/tmp/d', 0o60600, os.makedev(8, 0))",
    "another user": "os.setuid(0)",
    "a new root": "os.chroot('/tmp')",
    "a program from the work folder": (
        "open('/tmp/p', 'w').write('#!/usr/local/bin/nucleate-python\\n') and os.chmod('/tmp/p', 0o755)"
        " or subprocess.run(['/tmp/p'])"
    ),
    "a higher limit": "resource.setrlimit(resource.RLIMIT_AS, (-1, -1))",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_out_of_reach_raises_inside(docker_sandbox: DockerSandbox, name: str) -> None:
    source = f"import os, resource, socket, subprocess\ndef tool():\n    {REFUSED[name]}\n    return 'reached'\n"
    with docker_sandbox.open(limits=DEFAULT) as session:
        outcome = session.call(module(source), "tool", {})
        assert (outcome.value, outcome.limit) == (None, None)
        assert outcome.failure is not None
        assert outcome.failure.kind in EXPECTED, outcome.failure
        assert session.call(HELLO, "tool", {}).value == "hello"


EXPECTED = {"PermissionError", "OSError", "FileNotFoundError", "gaierror", "ValueError", "ConnectionRefusedError"}

SYSTEM_CALLS = {
    "ptrace": 101,
    "mount": 165,
    "unshare": 272,
    "bpf": 321,
    "userfaultfd": 323,
    "perf_event_open": 298,
    "keyctl": 250,
    "add_key": 248,
    "io_uring_setup": 425,
    "process_vm_readv": 310,
    "pidfd_getfd": 438,
    "shmget": 29,
    "msgget": 68,
    "setns": 308,
    "execveat": 322,
    "open_by_handle_at": 304,
    "kexec_load": 246,
    "init_module": 175,
    "acct": 163,
    "swapon": 167,
}


@pytest.mark.parametrize("name", SYSTEM_CALLS)
def test_a_system_call_off_the_list_is_not_permitted(docker_sandbox: DockerSandbox, name: str) -> None:
    source = f"""
        import ctypes, errno
        def tool():
            libc = ctypes.CDLL(None, use_errno=True)
            result = libc.syscall({SYSTEM_CALLS[name]}, 0, 0, 0, 0, 0, 0)
            return [result, errno.errorcode.get(ctypes.get_errno())]
        """
    assert call(docker_sandbox, source).value == [-1, "EPERM"]


def test_a_process_cannot_be_cloned_into_new_namespaces(docker_sandbox: DockerSandbox) -> None:
    source = """
        import ctypes, errno
        def tool():
            libc = ctypes.CDLL(None, use_errno=True)
            results = []
            for number, flags in ((56, 0x10000000), (435, 0)):
                results.append([libc.syscall(number, flags, 0, 0, 0, 0), errno.errorcode.get(ctypes.get_errno())])
            return results
        """
    assert call(docker_sandbox, source).value == [[-1, "EPERM"], [-1, "ENOSYS"]]


def test_no_signal_ends_or_stops_the_server(docker_sandbox: DockerSandbox) -> None:
    source = """
        import os
        def tool():
            for number in range(1, 65):
                try:
                    os.kill(1, number)
                except OSError:
                    pass
            return "alive"
        """
    with docker_sandbox.open() as session:
        assert session.call(module(source), "tool", {}).value == "alive"
        assert session.call(HELLO, "tool", {}).value == "hello"


FORGED = {
    "a length beyond the limit": (b"\xff\xff\xff\xff", "a message of 4294967295 bytes"),
    "no JSON": (b"\0\0\0\x02{]", "a message that is not JSON"),
    "an infinite number": (b'\0\0\0\x1b{"do":"value","value":1e999}', "a message that is not JSON"),
    "half a character": (b'\0\0\0\x1e{"do":"value","value":"\\ud800"}', "a message that is not JSON"),
    "a key twice": (b'\0\0\0\x1e{"do":"value","do":"failure"}   ', "a message that is not JSON"),
    "a list": (b"\0\0\0\x02[]", "a message that is no object with a 'do'"),
    "a value without a value": (b'\0\0\0\x0e{"do":"value"}', "an unknown message"),
    "an unknown message": (b'\0\0\0\x0e{"do":"ended"}', "an unknown message"),
    "a call without a name": (b'\0\0\0\x0d{"do":"call"}', "a message without 'name'"),
    "a failure without a text": (b'\0\0\0\x10{"do":"failure"}', "a message without 'kind'"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_frame_is_a_protocol_error(docker_sandbox: DockerSandbox, name: str) -> None:
    frame, words = FORGED[name]
    source = f"import os, time\ndef tool():\n    os.write(3, {frame!r})\n    time.sleep(60)\n"
    with docker_sandbox.open(limits=DEFAULT) as session:
        outcome = session.call(module(source), "tool", {})
        assert outcome.failure is not None
        assert (outcome.failure.kind, words in outcome.failure.message) == ("ProtocolError", True), outcome.failure
        assert session.call(HELLO, "tool", {}).value == "hello"


ENDED = {
    "os._exit": ("os._exit(0)", "ProcessExit", "the program ended its process with status 0 before it returned"),
    "a signal": ("os.kill(os.getpid(), 9)", "ProcessKilled", "the process was ended by SIGKILL"),
    "a crash": ("ctypes.string_at(0)", "ProcessKilled", "the process was ended by SIGSEGV"),
    "sys.exit": ("sys.exit(3)", "SystemExit", "3"),
    "an interrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt", ""),
}


@pytest.mark.parametrize("name", ENDED)
def test_a_program_that_ends_its_process_has_no_value(docker_sandbox: DockerSandbox, name: str) -> None:
    code, kind, message = ENDED[name]
    source = f"import ctypes, os, sys, time\ndef tool():\n    {code}\n    return 'went on'\n"
    with docker_sandbox.open(limits=DEFAULT) as session:
        outcome = session.call(module(source), "tool", {})
        assert (outcome.value, outcome.failure) == (None, Failure(kind=kind, message=message))
        assert session.call(HELLO, "tool", {}).value == "hello"


LINGERING = {
    "an exit handler": "atexit.register(time.sleep, 60)",
    "a thread": "threading.Thread(target=time.sleep, args=(60,)).start()",
    "a daemon that holds the pipes": "os.fork() == 0 and (os.setsid(), time.sleep(60))",
    "a finaliser": "global kept; kept = type('Late', (), {'__del__': lambda self: time.sleep(60)})()",
}


@pytest.mark.parametrize("name", LINGERING)
def test_what_lingers_after_the_value_holds_up_nobody(docker_sandbox: DockerSandbox, name: str) -> None:
    source = f"import atexit, os, threading, time\ndef tool():\n    {LINGERING[name]}\n    return 1\n"
    with docker_sandbox.open() as session:
        outcome = session.call(module(source), "tool", {})
        assert (outcome.value, outcome.limit) == (1, None)
        assert session.call(HELLO, "tool", {}).value == "hello"


DEEP: dict[str, tuple[str, Json]] = {
    "a deep folder": ("for _ in range(3000):\n        os.mkdir('d')\n        os.chdir('d')", []),
    "folders that cannot be entered": (
        "os.makedirs('/tmp/a/b')\n    os.chmod('/tmp/a/b', 0)\n    os.chmod('/tmp/a', 0)",
        [],
    ),
    "strange names": ("open(b'/tmp/\\xff\\n', 'w')\n    os.mkdir('/tmp/' + 'x' * 255)", []),
    "links to the system": ("os.symlink('/', '/tmp/root')\n    os.symlink('/tmp', '/tmp/loop')", []),
    "a socket": ("socket.socket(socket.AF_UNIX).bind('/tmp/s')", []),
}


@pytest.mark.parametrize("name", DEEP)
def test_files_of_one_call_are_gone_in_the_next(docker_sandbox: DockerSandbox, name: str) -> None:
    code, left = DEEP[name]
    dirty = f"import os, socket\ndef tool():\n    {code}\n    return 'dirty'\n"
    with docker_sandbox.open() as session:
        assert session.call(module(dirty), "tool", {}).value == "dirty"
        assert session.call(module("import os\ndef tool():\n    return os.listdir('/tmp')\n"), "tool", {}).value == left


def test_a_program_sees_no_environment_no_other_process_and_four_descriptors(docker_sandbox: DockerSandbox) -> None:
    source = """
        import os
        def tool():
            processes = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
            open_ones = []
            for number in range(100):
                try:
                    os.fstat(number)
                    open_ones.append(number)
                except OSError:
                    pass
            return [dict(os.environ), processes == [1, os.getpid()], open_ones, os.getuid() > 0]
        """
    assert call(docker_sandbox, source).value == [{}, True, [0, 1, 2, 3], True]
