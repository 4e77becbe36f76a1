"""System, programs and networks: nothing that was dropped runs, and there is nobody to talk to."""

from __future__ import annotations

from nucleate_sandbox import Json
from tests.sandbox.escapes.attacks import called
from tests.sandbox.escapes.case import Expect, Program, fails, gives

DENIED: Expect = fails("PermissionError")
ELF = "open('/tmp/p', 'wb').write(b'\\x7fELF' + bytes(200))\nos.chmod('/tmp/p', 0o755)\n"
LOADER = "/lib64/ld-linux-x86-64.so.2"
PLAIN = "open('/tmp/p', 'w').write('x')\nos.chmod('/tmp/p', 0o755)\nreturn oct(os.stat('/tmp/p').st_mode & 0o777)"

RUNS = (
    called("dropped script", "run a script from the work folder", "open('/tmp/p', 'w').write('#!/usr/local/bin/nucleate-python\\n')\nos.chmod('/tmp/p', 0o755)\nos.execv('/tmp/p', ['p'])", DENIED, PLAIN, "0o755", "os"),
    called("dropped ELF", "run a binary from the work folder", f"{ELF}os.execv('/tmp/p', ['p'])", DENIED, "open('/tmp/p', 'wb').write(b'\\x7fELF')\nreturn open('/tmp/p', 'rb').read(4).hex()", "7f454c46", "os"),
    called("linked binary", "run a link from the work folder to a binary that is gone", "os.symlink('/bin/sh', '/tmp/sh')\nos.execv('/tmp/sh', ['sh'])", fails("FileNotFoundError"), "os.symlink('/tmp/x', '/tmp/l')\nreturn os.path.islink('/tmp/l')", True, "os"),
    called("hard link to the interpreter", "give the interpreter another name", "os.link(sys.executable, '/tmp/python')", fails("OSError", "PermissionError"), "open('/tmp/a', 'w').write('x')\nos.link('/tmp/a', '/tmp/b')\nreturn open('/tmp/b').read()", "x", "os, sys"),
    called("copy of the interpreter", "copy the interpreter's binary", "open('/proc/self/exe', 'rb').read()", DENIED, "return os.path.exists('/proc/self/exe')", True, "os"),
    called("loader as prefix", "have the loader run a binary past noexec", f"""
        open('/tmp/p', 'wb').write(open('{LOADER}', 'rb').read())
        os.chmod('/tmp/p', 0o755)
        return subprocess.run(['{LOADER}', '/tmp/p', '--version'], capture_output=True).returncode""", gives(127), f"return subprocess.run(['{LOADER}', '--version'], capture_output=True).returncode", 0, "os, subprocess"),
    called("loader and preload", "have the loader load an object from the work folder", f"""
        open('/tmp/p.so', 'wb').write(open('{LOADER}', 'rb').read())
        r = subprocess.run([sys.executable, '-I', '-S', '-c', '1'], env={{'LD_PRELOAD': '/tmp/p.so'}}, capture_output=True, text=True)
        return 'cannot be preloaded' in r.stderr""", gives(True), "return subprocess.run([sys.executable, '-I', '-S', '-c', '1'], env={}).returncode", 0, "subprocess, sys"),
    called("/proc/self/fd", "run a file by its descriptor", f"{ELF}d = os.open('/tmp/p', os.O_RDONLY)\nos.execve(d, ['p'], {{}})", fails("PermissionError", "OSError"), "open('/tmp/p', 'w').write('x')\nd = os.open('/tmp/p', os.O_RDONLY)\nreturn os.read(d, 1).decode()", "x", "os"),
    called("/proc/self/fd by path", "run a file by the path of its descriptor", f"{ELF}d = os.open('/tmp/p', os.O_RDONLY)\nos.execv(f'/proc/self/fd/{{d}}', ['p'])", fails("PermissionError", "FileNotFoundError"), "open('/tmp/p', 'w').write('x')\nreturn open('/tmp/p').fileno() > 2", True, "os"),
    called("unlinked binary", "run a file that has no name any more", f"{ELF}d = os.open('/tmp/p', os.O_RDONLY)\nos.unlink('/tmp/p')\nos.execve(d, ['p'], {{}})", fails("PermissionError", "OSError"), "open('/tmp/p', 'w').close()\nos.unlink('/tmp/p')\nreturn os.path.exists('/tmp/p')", False, "os"),
    called("file in memory", "run a file that is on no disk", "d = os.memfd_create('x')\nos.execve(d, ['x'], {})", DENIED, "return hasattr(os, 'memfd_create')", True, "os"),
    called("mapped code of a file", "map a file of the work folder to run it", f"{ELF}f = open('/tmp/p', 'rb')\nmmap.mmap(f.fileno(), 0, flags=2, prot=5)", DENIED, "open('/tmp/p', 'w').write('ab')\nf = open('/tmp/p', 'rb')\nreturn mmap.mmap(f.fileno(), 0, prot=1)[:].decode()", "ab", "mmap, os"),
    called("made executable later", "make a mapped file executable", f"{ELF}f = open('/tmp/p', 'r+b')\nm = mmap.mmap(f.fileno(), 0, flags=2)\na = ctypes.addressof(ctypes.c_char.from_buffer(m))\nreturn ctypes.CDLL(None).mprotect(ctypes.c_void_p(a), 204, 5)", gives(-1), "m = mmap.mmap(-1, 4096)\na = ctypes.addressof(ctypes.c_char.from_buffer(m))\nreturn ctypes.CDLL(None).mprotect(ctypes.c_void_p(a), 4096, 1)", 0, "ctypes, mmap, os"),
    called("shell", "start a shell", "subprocess.run(['/bin/sh', '-c', 'id'])", fails("FileNotFoundError"), "return subprocess.DEVNULL", -3, "subprocess"),
    called("os.system", "start a shell by the C library", "return os.system('id') >> 8", gives(127), "return os.cpu_count() > 0", True, "os"),
    called("package manager", "install a package", "return subprocess.run([sys.executable, '-m', 'pip', 'install', 'x'], capture_output=True).returncode", gives(1), "return subprocess.run([sys.executable, '-I', '-S', '-c', 'raise SystemExit(1)']).returncode", 1, "subprocess, sys"),
    called("compiler", "find a compiler or another interpreter", "return [n for n in ('cc', 'gcc', 'perl', 'busybox', 'bash', 'curl', 'python3') if shutil.which(n, path='/bin:/usr/bin:/usr/local/bin')]", gives([]), "return shutil.which('x', path='/tmp')", None, "shutil"),
    called("library from the work folder", "load a shared object from the work folder", f"shutil.copy('{LOADER}', '/tmp/l.so')\nctypes.CDLL('/tmp/l.so')", fails("OSError"), f"return ctypes.CDLL('{LOADER}') is not None", True, "ctypes, shutil"),
    called("extension module", "import a shared object from the work folder", f"shutil.copy('{LOADER}', '/tmp/evil.so')\nsys.path.insert(0, '/tmp')\nimport evil", fails("ImportError"), "sys.path.insert(0, '/tmp')\nopen('/tmp/fine.py', 'w').write('x = 1')\nimport fine\nreturn fine.x", 1, "shutil, sys"),
    called("fresh interpreter", "start the interpreter anew, without the harness", """
        code = 'import os; print(os.getuid() > 0, dict(os.environ), sorted(os.listdir("/proc/self/fd")) if os.access("/proc/self/fd", 4) else "closed")'
        r = subprocess.run([sys.executable, '-I', '-c', code], capture_output=True, text=True)
        return r.stdout.split()[:1]""", gives(["True"]), "return subprocess.run([sys.executable, '-I', '-S', '-c', 'print(1)'], capture_output=True, text=True).stdout", "1\n", "subprocess, sys"),
    called("channel in a fresh interpreter", "hand the channel to a program of another kind", """
        r = subprocess.run([sys.executable, '-I', '-S', '-c', 'import os; os.fstat(3)'], capture_output=True, text=True)
        return 'Bad file descriptor' in r.stderr""", gives(True), "return subprocess.run([sys.executable, '-I', '-S', '-c', 'import os; os.fstat(0)']).returncode", 0, "subprocess, sys"),
)  # fmt: skip


def _talk(name: str, tries: str, code: str, docker: Expect, twin: str, value: Json, imports: str = "socket") -> Program:
    return called(name, tries, f"{code}\nreturn 'reached'", docker, twin, value, imports)


FAMILY = "return socket.socket(socket.AF_UNIX, socket.{}).type"
NETWORK = (
    _talk("IPv4", "an internet socket", "socket.socket(socket.AF_INET)", DENIED, FAMILY.format("SOCK_STREAM"), 1),
    _talk("IPv4 datagrams", "an internet socket for datagrams", "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", DENIED, FAMILY.format("SOCK_DGRAM"), 2),
    _talk("IPv6", "an IPv6 socket", "socket.socket(socket.AF_INET6)", DENIED, FAMILY.format("SOCK_SEQPACKET"), 5),
    _talk("raw IP", "a raw socket", "socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)", DENIED, "return socket.inet_aton('127.0.0.1').hex()", "7f000001"),
    _talk("raw packets", "a packet socket", "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)", DENIED, "a, b = socket.socketpair()\nreturn a.family == socket.AF_UNIX", True),
    _talk("netlink", "a netlink socket", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", DENIED, "return socket.AF_UNIX.name", "AF_UNIX"),
    _talk("netfilter", "netfilter by a netlink socket", "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 12)", DENIED, "return socket.AF_NETLINK.name", "AF_NETLINK"),
    _talk("vsock", "a socket to the hypervisor", "socket.socket(socket.AF_VSOCK)", DENIED, "return socket.AF_VSOCK.name", "AF_VSOCK"),
    _talk("AF_ALG", "the kernel's cipher interface", "socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)", DENIED, "return hashlib.sha256(b'').hexdigest()[:8]", "e3b0c442", "hashlib, socket"),
    _talk("bluetooth", "a bluetooth socket", "socket.socket(31, socket.SOCK_RAW, 1)", DENIED, "return socket.ntohs(1)", 256),
    _talk("CAN", "a socket of the vehicle bus", "socket.socket(29, socket.SOCK_RAW, 1)", DENIED, "return socket.htonl(1)", 16777216),
    _talk("XDP", "a socket past the network stack", "socket.socket(44, socket.SOCK_RAW)", DENIED, "return socket.SOCK_RAW", 3),
    _talk("pair of another family", "a socket pair of another family", "socket.socketpair(2)", DENIED, "a, b = socket.socketpair(1)\na.send(b'x')\nreturn b.recv(1).decode()", "x"),
    _talk("metadata address", "the cloud's metadata", "socket.create_connection(('169.254.169.254', 80), timeout=1)", DENIED, "return socket.inet_ntoa(bytes([169, 254, 169, 254]))", "169.254.169.254"),
    _talk("metadata by HTTP", "the cloud's metadata by HTTP", "urllib.request.urlopen('http://169.254.169.254/latest/meta-data/', timeout=1)", fails("URLError"), "return urllib.request.Request('http://a/b').selector", "/b", "urllib.request"),
    _talk("name service", "resolve a name", "socket.getaddrinfo('example.org', 80)", fails("gaierror"), "return socket.getservbyport is not None", True),
    _talk("loopback", "reach a service of the host", "socket.create_connection(('127.0.0.1', 2375), timeout=1)", DENIED, "return socket.has_ipv6 in (True, False)", True),
    _talk("HTTP", "fetch a page", "urllib.request.urlopen('http://127.0.0.1:1/')", fails("URLError"), "return urllib.parse.urlsplit('http://a:1/').port", 1, "urllib.parse, urllib.request"),
    _talk("abstract socket of the host", "reach an abstract socket outside", "socket.socket(socket.AF_UNIX).connect('\\0/tmp/.X11-unix/X0')", fails("ConnectionRefusedError"), "s = socket.socket(socket.AF_UNIX)\ns.bind('\\0mine')\nreturn s.getsockname().decode()", "\0mine"),
    called("names of sockets", "connect to every socket that has a name", """
        found = set()
        for line in open('/proc/net/unix').read().splitlines()[1:]:
            try: socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET).connect((line.split() + ['/tmp/none'])[7])
            except OSError as e: found.add(type(e).__name__)
        return sorted(found)""", gives(["FileNotFoundError"]), "return open('/proc/net/unix').readline().split()[0]", "Num", "socket"),
    called("interfaces", "find a network interface", "return sorted(os.listdir('/sys/class/net'))", gives(["lo"]), "return os.path.isdir('/sys/class/net')", True, "os"),
    called("routes", "find a way out", "return open('/proc/net/route').read().splitlines()[1:]", gives([]), "return open('/proc/net/route').read().split()[0]", "Iface"),
)  # fmt: skip
PROGRAMS = (*RUNS, *NETWORK)
