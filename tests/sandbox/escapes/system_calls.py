"""System, calls: kernel interfaces that no program needs are closed, by every way of calling them (x86-64)."""

from __future__ import annotations

from nucleate_sandbox import Json
from tests.sandbox.escapes.attacks import called
from tests.sandbox.escapes.case import Program, fails, gives

HEAD = "l = ctypes.CDLL(None, use_errno=True)\n"


def _call(name: str, number: int, arguments: str, twin: tuple[int, str, Json], error: str = "EPERM") -> Program:
    """Return a program that makes a system call by its number; its twin makes an allowed one in the same way."""
    code = "{}return [l.syscall({}, {}), errno.errorcode.get(ctypes.get_errno())]"
    allowed, their_arguments, value = twin
    return called(
        name,
        f"system call {number}",
        code.format(HEAD, number, arguments),
        gives([-1, error]),
        code.format(HEAD, allowed, their_arguments),
        [value, None] if value != "EBADF" else [-1, "EBADF"],
        "ctypes, errno",
    )


NONE = "0, 0, 0, 0, 0"
YIELD = (24, NONE, 0)  # sched_yield
UMASK = (95, "0o22, 0, 0, 0, 0", 0o22)
CLOSE = (3, "999, 0, 0, 0, 0", "EBADF")
NAP = (35, "ctypes.byref((ctypes.c_long * 2)(0, 1)), 0, 0, 0, 0", 0)  # nanosleep
DUP = (32, "999, 0, 0, 0, 0", "EBADF")
SYNC = (74, "999, 0, 0, 0, 0", "EBADF")  # fsync
SEEK = (8, "999, 0, 0, 0, 0", "EBADF")
STAT = (5, "999, 0, 0, 0, 0", "EBADF")  # fstat
PRIORITY = (140, "0, 0, 0, 0, 0", 20)  # getpriority, as the kernel counts it

PROCESSES = (
    _call("ptrace", 101, "16, 1, 0, 0, 0", YIELD),
    _call("ptrace of oneself", 101, "0, 0, 0, 0, 0", UMASK),
    _call("process_vm_readv", 310, "1, 0, 0, 0, 0", SEEK),
    _call("process_vm_writev", 311, "1, 0, 0, 0, 0", SYNC),
    _call("pidfd_getfd", 438, "3, 3, 0, 0, 0", DUP),
    _call("pidfd_send_signal", 424, "3, 9, 0, 0, 0", CLOSE),
    _call("process_madvise", 440, NONE, PRIORITY),
    _call("kcmp", 312, "1, 1, 0, 3, 3", STAT),
    _call("move_pages", 279, "1, 0, 0, 0, 0", YIELD),
    _call("migrate_pages", 256, "1, 0, 0, 0, 0", UMASK),
    _call("ioprio_set", 251, "1, 1, 0, 0, 0", PRIORITY),
    _call("sched_setscheduler", 144, "1, 5, 0, 0, 0", YIELD),
    _call("prlimit of process 1", 302, "1, 7, 0, 0, 0", (302, "0, 7, 0, 0, 0", 0)),
)  # fmt: skip
SPACES = (
    _call("unshare of users", 272, "0x10000000, 0, 0, 0, 0", YIELD),
    _call("unshare of networks", 272, "0x40000000, 0, 0, 0, 0", UMASK),
    _call("unshare of mounts", 272, "0x20000, 0, 0, 0, 0", CLOSE),
    _call("clone into users", 56, "0x10000000, 0, 0, 0, 0", NAP),
    _call("clone into processes", 56, "0x20000000, 0, 0, 0, 0", YIELD),
    _call("clone3", 435, NONE, UMASK, error="ENOSYS"),
    _call("setns", 308, NONE, DUP),
    _call("mount", 165, NONE, STAT),
    _call("umount2", 166, NONE, SYNC),
    _call("pivot_root", 155, NONE, SEEK),
    _call("chroot", 161, NONE, CLOSE),
    _call("fsopen", 430, NONE, DUP),
    _call("fsmount", 432, NONE, STAT),
    _call("open_tree", 428, NONE, CLOSE),
    _call("move_mount", 429, NONE, SYNC),
    _call("mount_setattr", 442, NONE, SEEK),
    _call("open_by_handle_at", 304, NONE, CLOSE),
    _call("name_to_handle_at", 303, NONE, STAT),
)  # fmt: skip
KERNEL = (
    _call("keyctl", 250, "0, -3, 0, 0, 0", YIELD), _call("add_key", 248, NONE, UMASK), _call("request_key", 249, NONE, CLOSE),
    _call("bpf", 321, NONE, DUP), _call("perf_event_open", 298, NONE, STAT), _call("userfaultfd", 323, NONE, SYNC),
    _call("userfaultfd for user mode", 323, "1, 0, 0, 0, 0", SEEK), _call("io_uring_setup", 425, NONE, NAP), _call("io_uring_enter", 426, NONE, YIELD),
    _call("io_uring_register", 427, NONE, UMASK), _call("io_setup", 206, NONE, CLOSE), _call("memfd_create", 319, NONE, DUP), _call("memfd_secret", 447, NONE, STAT),
    _call("execveat", 322, NONE, SYNC), _call("init_module", 175, NONE, SEEK), _call("finit_module", 313, NONE, CLOSE), _call("delete_module", 176, NONE, DUP),
    _call("kexec_load", 246, NONE, STAT), _call("kexec_file_load", 320, NONE, SYNC), _call("reboot", 169, NONE, SEEK), _call("swapon", 167, NONE, YIELD),
    _call("acct", 163, NONE, UMASK), _call("quotactl", 179, NONE, CLOSE), _call("syslog", 103, NONE, DUP), _call("iopl", 172, NONE, STAT),
    _call("ioperm", 173, NONE, SYNC), _call("modify_ldt", 154, NONE, SEEK), _call("personality", 135, "0x0400000, 0, 0, 0, 0", (135, "ctypes.c_long(0xffffffff), 0, 0, 0, 0", 0)),
    _call("personality without random addresses", 135, "0x0040000, 0, 0, 0, 0", (135, "ctypes.c_long(0xffffffff), 0, 0, 0, 0", 0)),
    _call("seccomp", 317, NONE, YIELD), _call("landlock", 444, NONE, UMASK), _call("lookup_dcookie", 212, NONE, CLOSE), _call("vmsplice", 278, NONE, DUP),
    _call("settimeofday", 164, NONE, STAT), _call("adjtimex", 159, NONE, SYNC), _call("sethostname", 170, NONE, SEEK), _call("setdomainname", 171, NONE, NAP),
    _call("mlockall", 151, "3, 0, 0, 0, 0", YIELD), _call("mbind", 237, NONE, UMASK), _call("set_mempolicy", 238, NONE, CLOSE),
)  # fmt: skip
LEFT = (
    _call("shmget", 29, "1, 4096, 0o1666, 0, 0", YIELD), _call("shmat", 30, NONE, UMASK), _call("msgget", 68, "1, 0o1666, 0, 0, 0", CLOSE),
    _call("semget", 64, "1, 1, 0o1666, 0, 0", DUP), _call("mq_open", 240, NONE, STAT), _call("setxattr", 188, NONE, SYNC), _call("inotify_init", 253, NONE, SEEK),
    _call("fanotify_init", 300, NONE, NAP), _call("timer_create", 222, NONE, YIELD), _call("mknod", 133, NONE, UMASK),
)  # fmt: skip

MACHINE = "m = mmap.mmap(-1, 4096, prot=7)\nm.write({})\nreturn ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))()"
RETURNS_7 = MACHINE.format("b'\\xb8\\x07\\x00\\x00\\x00\\xc3'")


def _machine(name: str, tries: str, code: str) -> Program:
    """Return a program that runs machine code which must end its process; its twin's returns 7."""
    return called(
        name, tries, MACHINE.format(code), fails("ProcessKilled"), RETURNS_7, 7, "ctypes, mmap"
    )  # fmt: skip


WAYS = (
    _machine("32-bit getpid", "a call by int 0x80, past the filter for 64 bits", "b'\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3'"),
    _machine("32-bit ptrace", "ptrace by int 0x80", "b'\\xb8\\x1a\\x00\\x00\\x00\\xcd\\x80\\xc3'"),
    _machine("32-bit mount", "mount by int 0x80", "b'\\xb8\\x15\\x00\\x00\\x00\\xcd\\x80\\xc3'"),
    called("x32 call", "a call with the x32 bit", "return ctypes.CDLL(None).syscall(0x40000000 + 39)", fails("ProcessKilled"), "return ctypes.CDLL(None).syscall(39) > 1", True, "ctypes"),
    called("x32 ptrace", "ptrace with the x32 bit", "return ctypes.CDLL(None).syscall(0x40000000 + 521, 16, 1)", fails("ProcessKilled"), "return ctypes.CDLL(None).syscall(102) > 0", True, "ctypes"),
    called("number beyond 32 bits", "a number whose lower half is allowed", "l = ctypes.CDLL(None, use_errno=True)\nreturn [l.syscall(ctypes.c_long((1 << 32) + 101), 16, 1), errno.errorcode.get(ctypes.get_errno())]", (*gives([-1, "ENOSYS"]), *gives([-1, "EPERM"])), "return ctypes.CDLL(None).syscall(ctypes.c_long(39)) > 1", True, "ctypes, errno"),
    called("negative number", "a number below every table", "l = ctypes.CDLL(None, use_errno=True)\nreturn [l.syscall(-5), errno.errorcode.get(ctypes.get_errno())]", fails("ProcessKilled"), "return ctypes.CDLL(None).syscall(24)", 0, "ctypes, errno"),
    called("personality twice", "a filtered argument with bits that the filter may not see", "l = ctypes.CDLL(None, use_errno=True)\nreturn [l.syscall(135, ctypes.c_long((1 << 32) + 0x40000)), errno.errorcode.get(ctypes.get_errno())]", gives([-1, "EPERM"]), "return ctypes.CDLL(None).syscall(135, ctypes.c_long(0xffffffff))", 0, "ctypes, errno"),
    called("socket family twice", "a socket family with bits that the filter may not see", "l = ctypes.CDLL(None, use_errno=True)\nreturn [l.syscall(41, ctypes.c_long((1 << 32) + 2), 1, 0), errno.errorcode.get(ctypes.get_errno())]", gives([-1, "EPERM"]), "return ctypes.CDLL(None).syscall(41, 1, 1, 0) > 3", True, "ctypes, errno"),
    called("clone flags twice", "clone flags hidden in the upper half", "l = ctypes.CDLL(None, use_errno=True)\nreturn [l.syscall(56, ctypes.c_ulong((1 << 32) + 0x10000000), 0, 0, 0, 0), errno.errorcode.get(ctypes.get_errno())]", gives([-1, "EPERM"]), "l = ctypes.CDLL(None)\np = l.syscall(56, 17, 0, 0, 0, 0)\nif p == 0: l._exit(3)\nreturn p > 0", True, "ctypes, errno"),
    called("input into a terminal", "push input into a terminal by ioctl", "l = ctypes.CDLL(None, use_errno=True)\nreturn [l.ioctl(0, 0x5412, b'x'), errno.errorcode.get(ctypes.get_errno())]", gives([-1, "ENOTTY"]), "return ctypes.CDLL(None).isatty(0)", 0, "ctypes, errno"),
    called("dirty pipe by splice", "write into the page cache of a file that it may only read", """
        import os
        f = os.open('/dev/null', os.O_RDONLY)
        path = os.__file__
        before = open(path, 'rb').read(16)
        d = os.open(path, os.O_RDONLY)
        r, w = os.pipe()
        os.write(w, bytes(65536)); os.read(r, 65536)
        os.splice(d, w, 1, offset_src=0)
        os.write(w, b'OVERWRITTEN')
        return open(path, 'rb').read(16) == before""", gives(True), "import os\nr, w = os.pipe()\nos.write(w, b'x')\nreturn os.read(r, 1).decode()", "x", "ctypes"),
)  # fmt: skip
PROGRAMS = (*PROCESSES, *SPACES, *KERNEL, *LEFT, *WAYS)
