"""The policy gate: what is not allowed by name is refused.

This is lint, not the boundary: a module that passes runs inside a container, which is the boundary. The gate refuses
early and says why.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from nucleate_codifier.admission.closure_gate import BUILTINS as ALL_BUILTINS
from nucleate_codifier.admission.policy.allowed import BUILTINS, DESCRIBING, FIELD_NAMES
from nucleate_codifier.admission.policy.constructs import objections
from nucleate_codifier.admission.policy.imports import import_findings
from nucleate_codifier.admission.policy.state import state_findings
from nucleate_codifier.admission.reading import source
from nucleate_codifier.admission.reading.packages import declared_modules
from nucleate_codifier.admission.reading.references import HARNESS, names_of, tool_uses
from nucleate_codifier.admission.reading.scopes import Names
from nucleate_codifier.admission.reading.source import quoted
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import AdmissionPolicy, Finding, ImportLevel

_COMMENT = re.compile(r"#\s*(type:|noqa|mypy:|pyright:|pylint:|ruff:|pragma\b|fmt:|nosec)", re.IGNORECASE)


def policy_gate(subject: Subject) -> GateResult:
    """Return every construct, import, builtin, name and comment that the policy does not allow."""
    given = source.read(subject.candidate.source)
    if given.module is None:
        return GateResult(findings=(source.unreadable("policy"),))
    findings = [
        *objections(source.tree(given.text)),
        *import_findings(given.module, imports_of(subject.candidate.source, subject.policy)),
        *state_findings(given.module),
        *_builtins(subject),
        *_shadows(subject),
        *_comments(given.text),
    ]
    unique = dict.fromkeys(sorted(findings, key=lambda finding: finding.line or 0))
    return GateResult(findings=tuple(unique))


def imports_of(text: str, policy: AdmissionPolicy) -> frozenset[str]:
    """Return the modules that the policy's level lets this module import."""
    listed = policy.allowed_imports
    match policy.level:
        case ImportLevel.PURE:
            return frozenset(name for name in DESCRIBING if name.partition(".")[0] in listed)
        case ImportLevel.PACKAGES:
            return listed | declared_modules(text)
    return listed


def _builtins(subject: Subject) -> Iterator[Finding]:
    tools = {use.id for use in tool_uses(subject)}
    yield from (_builtin(use) for use in refused_builtins(names_of(subject)) if use.id not in tools)


def refused_builtins(names: Names) -> Iterator[ast.Name]:
    """Yield the uses of builtins that are off the list; of `type`, all but `type(x) is …`: its result makes classes."""
    compared = {id(side.func) for node in ast.walk(names.module) for side in _compared(node)}
    for use in names.free:
        off = use.id in ALL_BUILTINS - BUILTINS and not use.id.startswith("__")
        if off or (use.id == "type" and id(use) not in compared):
            yield use


def _compared(node: ast.AST) -> Iterator[ast.Call]:
    for side in (node.left, *node.comparators) if isinstance(node, ast.Compare) else ():
        match side:
            case ast.Call(args=[argument], keywords=[]) if not isinstance(argument, ast.Starred):
                yield side


def _builtin(use: ast.Name) -> Finding:
    if use.id == "type":
        message, fix = (
            "what `type` returns makes classes; it may only be compared",
            "use isinstance, or `type(x) is int`",
        )
    else:
        message, fix = f"the builtin {quoted(use.id)} is not on the policy's list", "use plain operations on values"
    return Finding(rule="policy/builtin", line=use.lineno, message=message, fix=fix)


def _shadows(subject: Subject) -> Iterator[Finding]:
    tools = {use.id for use in tool_uses(subject)}
    for binding in names_of(subject).bindings:
        hidden = binding.name in HARNESS | tools or (
            binding.name in ALL_BUILTINS and (binding.in_module or binding.name not in FIELD_NAMES)
        )
        if hidden and binding.name != subject.candidate.name:
            yield Finding(
                rule="policy/shadow",
                line=binding.line,
                message=f"{quoted(binding.name)} is defined here and hides what the harness or Python calls so",
                fix="choose another name",
            )


def _comments(text: str) -> Iterator[Finding]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        found = _COMMENT.match(token.string) if token.type == tokenize.COMMENT else None
        if found:
            yield Finding(
                rule="policy/comment",
                line=token.start[0],
                message=f"the comment speaks to a checker ({quoted(found[1])})",
                fix="delete it, and correct what it hides",
            )
