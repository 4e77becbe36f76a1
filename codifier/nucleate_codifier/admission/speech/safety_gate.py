"""The safety gate: secrets, words meant for an agent, destructive functions, and reach beyond the evidence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from nucleate_codifier.admission.reading import source
from nucleate_codifier.admission.reading.references import capabilities_of, environment_uses, names_of, tool_uses
from nucleate_codifier.admission.reading.source import quoted
from nucleate_codifier.admission.speech.credentials import named_secrets, secret_in
from nucleate_codifier.admission.speech.instructions import encoded_text, mixed_word, order_in
from nucleate_codifier.admission.speech.orders import Told, order_to_reader
from nucleate_codifier.admission.speech.shown_texts import texts_of
from nucleate_codifier.admission.subject import GateResult, Subject
from nucleate_codifier.values import Finding
from nucleate_sandbox import Effect

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
ADDRESS = re.compile(
    r"\b(?:https?|ftp|wss?)://\S{1,200}"
    r"|\b[\w.+-]{1,64}@(?!(?:[\w-]{1,63}\.){0,3}example\b)(?:[\w-]{1,63}\.){1,4}[A-Za-z]{2,24}\b",
    re.IGNORECASE,
)  # names of the domain `example` are there to explain


def safety_gate(subject: Subject) -> GateResult:
    """Return what would harm whoever calls the tool, or lets an agent read it."""
    given = source.read(subject.candidate.source)
    if given.module is None:
        return GateResult(findings=(source.unreadable("safety"),))
    findings = [*_texts(given, given.module, _told(subject)), *_destructive(subject), *_reach(subject)]
    first = {(finding.rule, finding.line or finding.message): finding for finding in reversed(findings)}
    return GateResult(findings=tuple(sorted(first.values(), key=lambda finding: (finding.line or 0, finding.rule))))


def _texts(given: source.Source, module: ast.Module, told: Told) -> Iterator[Finding]:
    docs = {
        text
        for node in ast.walk(module)
        if isinstance(node, _DOCUMENTED) and (text := ast.get_docstring(node, clean=False))
    }
    for text, line in texts_of(given.text, module):
        yield from _text(text, line)
        sentence = None if order_in(text) else order_to_reader(text, told, summary=text in docs)
        if sentence is not None:
            message = f"the text tells its reader what to do ({quoted(sentence)})"
            yield _finding(
                "instruction", message, "describe what the tool does and returns; a tool may be referred to", line
            )
    for name, line in named_secrets(module):
        yield _secret(f"the value of {quoted(name)}", line)


def _told(subject: Subject) -> Told:
    """Return what the source does itself, which its texts may say."""
    called = capabilities_of(subject)
    functions = subject.environment.functions
    own = {use.id for use in tool_uses(subject)} | {subject.candidate.name}
    return Told(
        called=frozenset(name.rpartition(".")[2].casefold() for name in (*called, *own)),
        writes=any(name in functions and functions[name].effect is not Effect.READ for name in called),
    )


def _text(text: str, line: int) -> Iterator[Finding]:
    secret = secret_in(text)
    if secret is not None:
        yield _secret(secret, line)
    yield from _words(text, line)
    hidden = next((character for character in text if source.is_invisible(character)), None)
    if hidden is not None:
        yield _finding("hidden-character", f"a text holds U+{ord(hidden):04X}, which nobody sees", "delete it", line)
    address = ADDRESS.search(text)
    if address:
        yield _finding(
            "address",
            f"the text holds the address {quoted(address[0])}",
            "a tool reaches the world by the environment's functions alone; make it a parameter, or leave it out",
            line,
        )


def _words(text: str, line: int) -> Iterator[Finding]:
    order = order_in(text)
    if order is not None:
        how = f" {order.hidden}" if order.hidden else ""
        message = f"the text speaks to an agent{how} ({quoted(order.words)})"
        yield _finding("instruction", message, "say what the tool does, to a reader", line)
    encoded = encoded_text(text)
    if encoded is not None:
        yield _finding("encoded", f"the text hides another one {encoded}", "write it as it is, or leave it out", line)
    word = mixed_word(text)
    if word is not None:
        message = f"the word {quoted(word)} is written in letters of two scripts"
        yield _finding("mixed-script", message, "use the letters of one script", line)


def _secret(what: str, line: int) -> Finding:
    message = f"a literal looks like a secret ({what})"
    return _finding("secret", message, "make it a parameter, or let the environment hold it", line)


def _finding(rule: str, message: str, fix: str, line: int | None) -> Finding:
    return Finding(rule=f"safety/{rule}", line=line, message=message, fix=fix)


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
