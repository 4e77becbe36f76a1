"""The safety gate: secrets, words meant for an agent, destructive functions, and reach beyond the evidence."""

from __future__ import annotations

import ast
import io
import math
import re
import tokenize
from collections import Counter
from collections.abc import Iterator

from nucleate_codifier.admission import source
from nucleate_codifier.admission.references import capabilities_of, environment_uses, names_of
from nucleate_codifier.admission.source import quoted
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import Finding
from nucleate_sandbox import Effect

MIN_RANDOM = 24
MIN_ENTROPY = 4.0  # bits for each character: English text has about 4 over 27 letters, but holds spaces

SECRETS = {
    "a private key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    "a provider's key": re.compile(r"\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abprs])[-_][A-Za-z0-9_-]{16,}"),
    "a cloud access key": re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    "a bearer token": re.compile(r"\bBearer\s+[A-Za-z0-9._~+/-]{16,}=*", re.IGNORECASE),
    "a web token": re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"),
    "a password": re.compile(r"\b(?:password|passwd|secret|api[_-]?key)=\S{4,}", re.IGNORECASE),
}
RANDOM = re.compile(rf"(?=[^\s]*\d)(?=[^\s]*[A-Za-z])[A-Za-z0-9+/=_-]{{{MIN_RANDOM},}}")
ORDERS = re.compile(
    r"(?:ignore|disregard|forget)\s+(?:all\s+|any\s+|the\s+|your\s+)*(?:previous|prior|above|earlier)\b"
    r"|\byou\s+(?:must|should|are)\s+now\b|\bsystem\s+prompt\b|\bas\s+an\s+(?:ai|assistant|agent)\b"
    r"|\bdo\s+not\s+(?:tell|inform|mention\s+(?:this|it)\s+to)\b|</?(?:system|assistant|instructions?)>"
    r"|\b(?:always|before\s+anything\s+else,?)\s+(?:call|run|use)\s+(?:the|this)\s+(?:tool|function)\b",
    re.IGNORECASE,
)
ADDRESS = re.compile(r"\b(?:https?|ftp|wss?)://\S+", re.IGNORECASE)


def safety_gate(subject: Subject) -> GateResult:
    """Return what would harm whoever calls the tool, or lets an agent read it."""
    given = source.read(subject.candidate.source)
    if given.module is None:
        return GateResult(findings=(source.unreadable("safety"),))
    findings = [*_texts(given.module), *_comments(given.text), *_destructive(subject), *_reach(subject)]
    return GateResult(findings=tuple(sorted(findings, key=lambda finding: finding.line or 0)))


def _texts(module: ast.Module) -> Iterator[Finding]:
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _text(node.value, node.lineno)


def _comments(text: str) -> Iterator[Finding]:
    """Yield what comments hide: an agent that is shown the source reads them too."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield from _text(token.string, token.start[0])


def _text(text: str, line: int) -> Iterator[Finding]:
    for what, pattern in SECRETS.items():
        if pattern.search(text):
            yield _secret(what, line)
    if any(_bits(match[0]) >= MIN_ENTROPY for match in RANDOM.finditer(text)):
        yield _secret("a long random text", line)
    order = ORDERS.search(text)
    if order:
        yield Finding(
            rule="safety/instruction",
            line=line,
            message=f"the text speaks to an agent ({quoted(order[0])})",
            fix="say what the tool does, to a reader",
        )
    hidden = next((character for character in text if source.is_invisible(character)), None)
    if hidden is not None:
        yield Finding(
            rule="safety/hidden-character",
            line=line,
            message=f"the text holds the invisible character U+{ord(hidden):04X}",
            fix="delete it: a tool needs no text that its reader cannot see",
        )
    address = ADDRESS.search(text)
    if address:
        yield Finding(
            rule="safety/address",
            line=line,
            message=f"the text holds the address {quoted(address[0])}",
            fix="a tool reaches the world by the environment's functions alone; make it a parameter, or leave it out",
        )


def _secret(what: str, line: int) -> Finding:
    return Finding(
        rule="safety/secret",
        line=line,
        message=f"a literal looks like {what}",
        fix="make it a parameter, or let the environment hold it",
    )


def _bits(text: str) -> float:
    """Return the Shannon entropy of a text in bits for each character."""
    counts = Counter(text)
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts.values())


def _destructive(subject: Subject) -> Iterator[Finding]:
    lines = {use.path: use.line for use in environment_uses(names_of(subject))}
    for name in capabilities_of(subject):
        spec = subject.environment.functions.get(name)
        if spec is None or spec.effect != Effect.DESTRUCTIVE or name in subject.policy.approved_destructive:
            continue
        yield Finding(
            rule="safety/destructive",
            line=lines.get(name),
            message=f"{quoted(name)} is destructive and nobody has approved it",
            fix="name it in the policy's approved_destructive, or leave the call to a person",
        )


def _reach(subject: Subject) -> Iterator[Finding]:
    evidence = (*subject.evidence.seen, *subject.evidence.held_out)
    seen = {call.function for example in evidence for call in example.calls}
    lines = {use.path: use.line for use in environment_uses(names_of(subject))}
    for name in capabilities_of(subject):
        if evidence and name not in seen:
            yield Finding(
                rule="safety/beyond-evidence",
                line=lines.get(name),
                message=f"{quoted(name)} is called by no run that supports this tool",
                fix="call only what the recorded runs called",
            )
