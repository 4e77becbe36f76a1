"""The whole corpus, by class."""

from __future__ import annotations

from tests.sandbox.escapes import forgery, language, resources, system
from tests.sandbox.escapes.case import program

CLASSES = {
    "language": language.PROGRAMS,
    "resources": resources.PROGRAMS,
    "system": system.PROGRAMS,
    "forgery and leaks": forgery.PROGRAMS,
}
TWINS = (*language.TWINS, *resources.TWINS, *system.TWINS, *forgery.TWINS)
CASES = [(group, item) for group, items in CLASSES.items() for item in items]

PROBE = program(
    """
    disk = os.statvfs('/tmp')
    signals = [line for line in open('/proc/self/status') if line.startswith(('Sig', 'Shd')) and 'SigQ' not in line]
    return {
        'files': os.listdir('/tmp'), 'used': [disk.f_blocks - disk.f_bfree, disk.f_files - disk.f_ffree],
        'environment': dict(os.environ), 'umask': os.umask(0o22), 'folder': os.getcwd(),
        'processes': sorted(int(n) for n in os.listdir('/proc') if n.isdigit()) == [1, os.getpid()],
        'limits': [resource.getrlimit(n) for n in range(16) if n not in (0, 9)], 'signals': signals,
        'builtins': [len([1]), json.dumps([1]), open is io.open, len(dir(builtins))], 'modules': len(sys.modules),
        'sockets': len(open('/proc/net/unix').readlines()), 'recursion': sys.getrecursionlimit(),
        'random': random.Random(0).random(), 'seeded': random.random() == 0.8444218515250481,
    }""",
    "builtins, io, json, os, random, resource, sys",
)
