"""The closure gate: every name is known, every environment function exists, every dependency can be loaded."""

from __future__ import annotations

import builtins
import difflib
from collections.abc import Iterable, Iterator

from nucleate_codifier.admission.reading import source
from nucleate_codifier.admission.reading.packages import package_findings
from nucleate_codifier.admission.reading.references import (
    HARNESS,
    EnvironmentUse,
    capabilities_of,
    dependencies_of,
    environment_uses,
    names_of,
    reachable,
    tool_uses,
)
from nucleate_codifier.admission.reading.source import quoted
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import Finding

# `site` adds these to an interactive interpreter; a sandboxed module does not have them.
BUILTINS = frozenset(dir(builtins)) - {"copyright", "credits", "exit", "help", "license", "quit", "_"}


def closure_gate(subject: Subject) -> GateResult:
    """Return what the candidate names and does not have (Metis §3.5: admitted only with its exact closure)."""
    if source.read(subject.candidate.source).module is None:
        return GateResult(findings=(source.unreadable("closure"),))
    findings = [
        *_unknown_names(subject),
        *_environment(subject),
        *_unusable(subject),
        *_broken(subject),
        *package_findings(subject),
    ]
    findings.sort(key=lambda finding: finding.line or 0)
    counts = {"capabilities": len(capabilities_of(subject)), "dependencies": len(dependencies_of(subject))}
    return GateResult(findings=tuple(findings), counts=counts)


def _unknown_names(subject: Subject) -> Iterator[Finding]:
    library = set(subject.library.tools) | set(subject.library.unusable)
    names = names_of(subject)
    known = library | HARNESS | BUILTINS
    for use in names.free:
        if use.id not in known:
            yield Finding(
                rule="closure/unknown-name",
                line=use.lineno,
                message=f"nothing here is named {quoted(use.id)}",
                fix=_near(use.id, [*names.module_names, *known])
                or "define it, import it, or use a tool of the library",
            )


def _environment(subject: Subject) -> Iterator[Finding]:
    for use in environment_uses(names_of(subject)):
        if use.call is None:
            yield Finding(
                rule="closure/env-alias",
                line=use.line,
                message="`env` is used without calling one of its functions, so what it reaches cannot be read",
                fix="call it in place: env.<namespace>.<function>(name=value)",
            )
        elif use.path not in subject.environment.functions:
            yield Finding(
                rule="closure/unknown-function",
                line=use.line,
                message=f"the environment has no function {quoted(use.path)}",
                fix=_near(use.path, subject.environment.functions) or "use a function that the environment lists",
            )
        yield from _arguments(use)


def _arguments(use: EnvironmentUse) -> Iterator[Finding]:
    call = use.call
    if call is not None and call.args:
        yield Finding(
            rule="closure/positional-argument",
            line=call.lineno,
            message=f"env.{use.path} is called with an argument without a keyword"[:160],
            fix="write name=value for each argument",
        )
    if call is not None and any(keyword.arg is None for keyword in call.keywords):
        yield Finding(
            rule="closure/star-argument",
            line=call.lineno,
            message=f"env.{use.path} is called with **, so its arguments cannot be read"[:160],
            fix="write name=value for each argument",
        )


def _unusable(subject: Subject) -> Iterator[Finding]:
    for use in tool_uses(subject):
        if use.id not in subject.library.tools:
            yield Finding(
                rule="closure/unusable-tool",
                line=use.lineno,
                message=f"the tool {quoted(use.id)} is {subject.library.unusable[use.id]}",
                fix=_near(use.id, subject.library.tools) or f"revive it first: nucleate tools show {use.id}",
            )


def _broken(subject: Subject) -> Iterator[Finding]:
    by_id = {version.id: version for version in subject.library.tools.values()}
    for key, caller in reachable(dependencies_of(subject), subject.library).items():
        if key not in by_id:
            yield Finding(
                rule="closure/missing-version",
                message=f"the tool {quoted(caller)} needs version {key[:12]}, which is not in force",
                fix=f"register {caller!r} again with the versions in force",
            )
        elif by_id[key].name == subject.candidate.name:
            yield Finding(
                rule="closure/recursion",
                message=f"the tool {quoted(caller)} already calls {quoted(subject.candidate.name)}",
                fix="move what both need into a tool of its own",
            )


def _near(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name[:80], sorted(set(known)), n=3)
    return f"did you mean {', '.join(near)}?" if near else ""
