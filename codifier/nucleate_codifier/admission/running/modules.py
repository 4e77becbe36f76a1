"""A candidate as a sandbox takes it: its module with the closure of library tools that it calls."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from nucleate_codifier.admission.reading.references import dependencies_of, reachable
from nucleate_codifier.admission.subject import Subject
from nucleate_codifier.values import LibraryView
from nucleate_sandbox import NO_PACKAGES, Lock, Module, PackageError, closure_lock
from nucleate_tool_library import ToolVersion


def module_of(subject: Subject) -> Module:
    """Return the candidate's module with its closure, each dependency after those that it needs (Metis §3.5)."""
    versions = in_order(reachable(dependencies_of(subject), subject.library), subject.library)
    modules = tuple(Module(name=version.name, source=version.source) for version in versions)
    return Module(name=subject.candidate.name, source=subject.candidate.source, dependencies=modules)


def lock_of(subject: Subject) -> Lock:
    """Return the locked packages of the candidate and of all that it calls.

    Locks that contradict each other are no lock: the closure gate names them, and nothing that needs them loads.
    """
    called = reachable(dependencies_of(subject), subject.library)
    locks = [version.lock for version in subject.library.tools.values() if version.id in called]
    try:
        return closure_lock(subject.candidate.lock, locks)
    except PackageError:
        return NO_PACKAGES


def in_order(ids: dict[str, str], library: LibraryView) -> tuple[ToolVersion, ...]:
    """Return these versions so that each comes after those that it needs."""
    by_id = {version.id: version for version in library.tools.values()}
    graph = {key: sorted(by_id[key].dependencies) for key in sorted(ids) if key in by_id}
    try:
        order = [*TopologicalSorter(graph).static_order()]
    except CycleError:  # the closure gate names the cycle; nothing that holds one gets as far as a sandbox
        order = [*graph]
    return tuple(by_id[key] for key in order if key in by_id)
