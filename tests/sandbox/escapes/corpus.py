"""The whole corpus, by class, and how a program of it is judged."""

from __future__ import annotations

from nucleate_sandbox import canonical
from tests.sandbox.escapes import (
    bridge,
    checkers,
    forgery,
    language_code,
    language_walks,
    leaks,
    resources_room,
    resources_time,
    suites,
    system_calls,
    system_files,
    system_runs,
    tenants,
)
from tests.sandbox.escapes.case import Ending, Expect, Program, lacks, program
from tests.sandbox.escapes.monty import MONTY, TWINS

CLASSES = {
    "language": (*language_walks.PROGRAMS, *language_code.PROGRAMS),
    "checkers": checkers.PROGRAMS,
    "verdict forgery": forgery.PROGRAMS,
    "suites": suites.PROGRAMS,
    "bridge": bridge.PROGRAMS,
    "resources": (*resources_time.PROGRAMS, *resources_room.PROGRAMS),
    "system": (*system_files.PROGRAMS, *system_calls.PROGRAMS, *system_runs.PROGRAMS),
    "leaks": leaks.PROGRAMS,
    "neighbours": tenants.PROGRAMS,
}
NO_MODULE = lacks("ModuleNotFoundError")
CASES = [(group, item) for group, items in CLASSES.items() for item in items]


def on_monty(item: Program) -> Expect:
    """Return what must come of a program on Monty: mostly that it lacks the module that the program imports."""
    return MONTY.get(item.name, NO_MODULE)


def twin_on_monty(item: Program) -> Expect:
    """Return what must come of a benign twin on Monty: its value, or that Monty lacks the module that both import."""
    return TWINS.get(item.name, (harmless(item),) if item.name in MONTY else NO_MODULE)


def met(expect: Expect, found: Ending) -> bool:
    """Tell whether the ending is one of those expected, to the last bit of its value."""
    return any(_exactly(item) == _exactly(found) for item in expect)


def harmless(item: Program) -> Ending:
    """Return the one ending that the benign twin may have."""
    return Ending(value=item.value, deeds=item.deeds)


def _exactly(item: Ending) -> tuple[object, ...]:
    return canonical(item.value), item.kind, item.unsupported, item.limit, item.deeds


PROBE = program(
    """
    disk = os.statvfs('/tmp')
    def sockets():
        # Those that were sent and never received are collected by the kernel a moment after their last holder ended.
        return len(open('/proc/net/unix').readlines())
    for _ in range(50):
        if sockets() <= 3: break
        time.sleep(0.02)
    signals = [line for line in open('/proc/self/status') if line.startswith(('Sig', 'Shd')) and 'SigQ' not in line]
    return {
        'files': os.listdir('/tmp'), 'used': [disk.f_blocks - disk.f_bfree, disk.f_files - disk.f_ffree],
        'environment': dict(os.environ), 'umask': os.umask(0o22), 'folder': os.getcwd(),
        'processes': sorted(int(n) for n in os.listdir('/proc') if n.isdigit()) == [1, os.getpid()],
        'limits': [resource.getrlimit(n) for n in range(16) if n not in (0, 9)], 'signals': signals,
        'builtins': [len([1]), json.dumps([1]), open is io.open, len(dir(builtins))], 'modules': len(sys.modules),
        'sockets': sockets(), 'recursion': sys.getrecursionlimit(),
        'random': random.Random(0).random(), 'seeded': random.random() == 0.8444218515250481,
        'priority': [os.getpriority(0, 0), os.sched_getscheduler(0), len(os.sched_getaffinity(0))],
        'digits': sys.get_int_max_str_digits(), 'collector': gc.isenabled(), 'path': sys.path,
    }""",
    "builtins, gc, io, json, os, random, resource, sys, time",
)
