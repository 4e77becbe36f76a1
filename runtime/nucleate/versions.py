"""Between the packages: a judged candidate as a library version, a version as a sandbox module and as test evidence."""

from __future__ import annotations

from collections.abc import Sequence

from nucleate_codifier import (
    AdmissionPolicy,
    Candidate,
    Decision,
    Evidence,
    LibraryView,
    Similar,
    Verdict,
    verdict_json,
)
from nucleate_codifier.example_json import example_json, objects_in, read_example
from nucleate_codifier.guards import guarded_by
from nucleate_sandbox import Json, JsonObject, Lock, Module, closure_lock
from nucleate_tool_library import State, Tool, ToolVersion, read_signature

# The state in which a version begins that these decisions let in; no other decision lets one in.
USABLE = {Decision.ADMITTED: State.ACTIVE, Decision.PROVISIONAL: State.CANDIDATE}
IN_FORCE = (State.ACTIVE, State.CANDIDATE, State.CANARY)
UNUSABLE = (State.SUSPECT, State.DEPRECATED, State.ARCHIVED)


def version_of(candidate: Candidate, *, evidence: Evidence, verdict: Verdict) -> ToolVersion:
    """Return the immutable version that a candidate becomes, with the evidence that judged it."""
    return ToolVersion(
        name=candidate.name,
        scope=candidate.scope,
        source=candidate.source,
        signature=read_signature(candidate.source, candidate.name),
        capabilities=verdict.capabilities,
        dependencies=verdict.dependencies,
        tests={"files": dict(candidate.tests)},
        evidence={
            "plan": candidate.plan_id,
            "origin": candidate.origin,
            "seen": [example_json(example) for example in evidence.seen],
            "held_out": [example_json(example) for example in evidence.held_out],
        },
        template=candidate.template,
        verdict=verdict_json(verdict),
        lock=candidate.lock,
    )


def candidate_of(version: ToolVersion) -> Candidate:
    """Return the candidate that a version was, for judging it again."""
    files = version.tests.get("files")
    plan = version.evidence.get("plan")
    return Candidate(
        name=version.name,
        scope=version.scope,
        source=version.source,
        plan_id=plan if isinstance(plan, str) else None,
        tests={name: str(text) for name, text in files.items()} if isinstance(files, dict) else {},
        template=version.template,
        lock=version.lock,
        origin=_object(version.evidence.get("origin")),
    )


def evidence_of(version: ToolVersion) -> Evidence:
    """Return the stored evidence of a version."""
    return Evidence(
        seen=tuple(read_example(item) for item in objects_in(version.evidence.get("seen"))),
        held_out=tuple(read_example(item) for item in objects_in(version.evidence.get("held_out"))),
    )


def view_of(tools: Sequence[Tool], similar: Similar | None) -> LibraryView:
    """Return the tools in force of one scope, and the names that must not be used with the reason."""
    return LibraryView(
        similar=similar,
        tools={tool.name: tool.version for tool in tools if tool.state in IN_FORCE},
        unusable={tool.name: tool.state.value for tool in tools if tool.state in UNUSABLE},
    )


def module_of(closure: Sequence[ToolVersion], policy: AdmissionPolicy) -> Module:
    """Return the last version of a closed, ordered sequence as a guarded module with the others as dependencies."""
    modules: list[Module] = []
    for item in closure:
        guarded = guarded_by(policy, item.source)
        modules.append(Module(name=item.name, source=guarded, dependencies=tuple(modules)))
    return modules[-1]


def manifest_of(closure: Sequence[ToolVersion]) -> frozenset[str]:
    """Return the environment functions that a closed set of versions may call."""
    return frozenset(name for version in closure for name in version.capabilities)


def lock_of(closure: Sequence[ToolVersion]) -> Lock:
    """Return the packages that the last version of a closed, ordered sequence is run with."""
    *dependencies, version = closure
    return closure_lock(version.lock, [item.lock for item in dependencies])


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
