"""Secrets are replaced before anything is stored, hashed or embedded.

A secret's placeholder is the same wherever the secret stands in one trajectory, so that equal values stay equal:
`[redacted:password]`, and `[redacted:password-2]` for a second one. Personal identifiers are replaced the same way
where the contract says so. The log is told how many of each kind there were, never a value.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from nucleate_text_memory.contents import from_text, to_text
from nucleate_text_memory.redaction.hints import near
from nucleate_text_memory.redaction.personal import identifiers
from nucleate_text_memory.redaction.shell_secrets import shell_secrets
from nucleate_text_memory.storable_text import storable_draft
from nucleate_text_memory.values import Draft, Json, Step, StepError, Trajectory

_LOG = logging.getLogger(__name__)

# A field whose name says that its value is a secret. Page tokens and counts of tokens are not.
_FIELD = re.compile(
    r"(?:^|_)(?:(?P<password>password|passwd|pwd|passphrase)|(?P<api_key>api_?key|access_?key|secret_?key|private_?key)"
    r"|(?P<secret>secret)|(?P<token>token))$",
    re.IGNORECASE,
)
_HARMLESS = re.compile(r"(?:page|next|prev|previous|continuation|sync|cursor)_?token$", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

# Each with the letters of which one must be in a text in lower case: a search for those is many times faster.
_PATTERNS: tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...] = (
    (
        "private_key",
        ("private key",),
        re.compile(
            r"(-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|\Z))", re.DOTALL
        ),
    ),
    (
        "token",
        ("bearer", "basic"),
        re.compile(r"(?i:\b(?:bearer|basic))\s{1,9}((?=\S{0,200}\d)[A-Za-z0-9._~+/-]{12,}=*)"),
    ),
    ("token", ("eyj",), re.compile(r"\b(eyJ[\w-]{8,2000}\.eyJ[\w-]{8,8000}\.[\w-]*)")),
    (
        "api_key",
        ("sk-", "sk_", "rk_", "aiza", "hf_", "npm_"),
        re.compile(r"\b(sk-[\w-]{20,}|[sr]k_(?:live|test)_\w{16,}|AIza[\w-]{35}|hf_[A-Za-z]{30,}|npm_\w{36})"),
    ),
    (
        "api_key",
        ("akia", "asia", "xox", "sg."),
        re.compile(r"\b((?:AKIA|ASIA)[0-9A-Z]{16}|xox[abprs]-[\w-]{10,}|SG\.[\w-]{16,100}\.[\w-]{16,})"),
    ),
    (
        "token",
        ("gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_", "glpat-", "pypi-"),
        re.compile(r"\b(gh[oprsu]_\w{36,}|github_pat_\w{22,}|glpat-[\w-]{20,}|pypi-[\w-]{40,})"),
    ),
    ("password", ("://",), re.compile(r"\b[a-z][a-z0-9+.-]{0,20}://[^\s:/@]{1,200}:([^\s:/@]{1,500})@")),
)
_NAMES = (
    r"(password|passwd|pwd|passphrase|api[_-]?key|access[_-]?key"
    r"|client[_-]?secret|secret|(?:access|auth)[_-]?token|token)"
)
_NAMED = ("passw", "pwd", "passphrase", "key", "secret", "token")
_ASSIGNED: tuple[re.Pattern[str], ...] = (
    re.compile(rf"(?i)(?<![a-z]){_NAMES}[\"']?\s{{0,9}}(?:=|:|\bis\b)\s{{0,9}}[\"']([^\"'\n]{{3,}})[\"']"),
    re.compile(rf"(?i)(?<![a-z])(?!pwd=[/~$]){_NAMES}=([^\s\"'`,;&(){{}}\[\]<>]{{3,}})"),  # PWD=/home is a folder
    re.compile(rf"(?i)(?<![a-z]){_NAMES}(?::|\s{{1,9}}is)\s{{1,9}}((?=\S{{0,200}}\d)[^\s\"'`,;(){{}}\[\]<>]{{6,}})"),
)
_PLACEHOLDER = re.compile(r"\[redacted:[a-z_]{1,40}(?:-\d+)?\]")
_NOTHING = frozenset({"none", "null", "true", "false"})
_SHORTEST_LITERAL = 6  # a shorter secret is replaced where it is labelled, not wherever its letters occur
_SHORTEST_TEXT = 7  # "pwd=abc"
_SHORTEST_TOKEN = 8  # {"token": "BTC"} is no secret


def redact_text(text: str) -> str:
    """Return the text without its secrets."""
    secrets = _Secrets()
    secrets.collect(text)
    return secrets.clean_text(text)


def redact(trajectory: Trajectory, *, personal: bool = False) -> Trajectory:
    """Return the trajectory without secrets in what was said, arguments, results, error messages and further fields."""
    secrets = _Secrets(personal=personal)
    secrets.collect(trajectory.query)
    secrets.collect(trajectory.meta)
    secrets.collect([one.text for one in trajectory.said])
    for step in trajectory.steps:
        secrets.collect(step.arguments)
        secrets.collect(step.result)
        secrets.collect(step.error.message if step.error else None)
    if not secrets.found:
        return trajectory
    _tell(secrets.counts)
    steps = tuple(_clean_step(secrets, step) for step in trajectory.steps)
    meta = {secrets.clean_text(key): secrets.clean(value, key) for key, value in trajectory.meta.items()}
    said = tuple(replace(one, text=secrets.clean_text(one.text)) for one in trajectory.said)
    return replace(trajectory, query=secrets.clean_text(trajectory.query), steps=steps, meta=meta, said=said)


def redact_draft(draft: Draft, *, personal: bool = True) -> Draft:
    """Return the draft without secrets in what it says, in storable text; its key is cleaned too."""
    draft = storable_draft(draft)
    secrets, content = _Secrets(personal=personal), to_text(draft.content)
    said = [draft.title, draft.body, content, *draft.signature]
    for text in said:
        secrets.collect(text)
    if not secrets.found:
        return draft
    _tell(secrets.counts)
    title, body, told, *signature = (secrets.clean_text(text) for text in said)
    cleaned = from_text(draft.kind, told)
    return replace(draft, title=title, body=body, content=cleaned, signature=tuple(signature))


def _tell(counts: Mapping[str, int]) -> None:
    _LOG.info("redacted %s", ", ".join(f"{count} of kind {name}" for name, count in sorted(counts.items())))


def _clean_step(secrets: _Secrets, step: Step) -> Step:
    arguments = {secrets.clean_text(key): secrets.clean(value, key) for key, value in step.arguments.items()}
    error = StepError(kind=step.error.kind, message=secrets.clean_text(step.error.message)) if step.error else None
    return replace(step, arguments=arguments, result=secrets.clean(step.result), error=error)


class _Secrets:
    """The secrets of one trajectory, in the order in which they were met, with their placeholders."""

    def __init__(self, *, personal: bool = False) -> None:
        self.found: dict[str, str] = {}
        self.counts: Counter[str] = Counter()
        self._personal = personal
        self._literals: re.Pattern[str] | None = None

    def collect(self, value: Json, field: str = "") -> None:
        """Remember every secret in a JSON value."""
        name = _secret_field(field)
        if name and _is_secret(value, name):
            self._add(name, str(value))
        elif isinstance(value, str):
            self._collect_text(value)
        elif isinstance(value, list):
            for item in value:
                self.collect(item, field)
        elif isinstance(value, dict):
            for key, item in value.items():
                self._collect_text(key)
                self.collect(item, key)

    def clean(self, value: Json, field: str = "") -> Json:
        """Return the value with placeholders for the secrets that were collected."""
        name = _secret_field(field)
        if name and _is_secret(value, name):
            return self.found[str(value)]
        if isinstance(value, str):
            return self.clean_text(value)
        if isinstance(value, list):
            return [self.clean(item, field) for item in value]
        if isinstance(value, dict):
            return {self.clean_text(key): self.clean(item, key) for key, item in value.items()}
        return value

    def clean_text(self, text: str) -> str:
        """Return the text with a placeholder wherever a secret of the trajectory stands, labelled or not."""
        for _, secret in self._within(text):
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", self.found[secret], text)
        literals = self._pattern()
        return literals.sub(lambda match: self.found[match[0]], text) if literals else text

    def _pattern(self) -> re.Pattern[str] | None:
        long = sorted((s for s in self.found if len(s) >= _SHORTEST_LITERAL), key=len, reverse=True)
        if long and self._literals is None:
            self._literals = re.compile("|".join(rf"(?<!\w){re.escape(s)}(?!\w)" for s in long))
        return self._literals

    def _collect_text(self, text: str) -> None:
        for name, secret in self._within(text):
            self._add(name, secret)

    def _within(self, text: str) -> list[tuple[str, str]]:
        found = _secrets_in(text)
        return [*found, *identifiers(text)] if self._personal else found

    def _add(self, name: str, secret: str) -> None:
        if secret not in self.found:
            self.counts[name] += 1
            number = self.counts[name]
            self.found[secret] = f"[redacted:{name}]" if number == 1 else f"[redacted:{name}-{number}]"


def _secrets_in(text: str) -> list[tuple[str, str]]:
    if len(text) < _SHORTEST_TEXT:
        return []
    lower = text.lower()
    if len(lower) != len(text):  # letters that become two when they are small would move every place
        lower = "".join(c if len(small := c.lower()) != 1 else small for c in text)
    found = [
        (name, match[1])
        for name, hints, pattern in _PATTERNS
        if any(hint in lower for hint in hints)
        for match in pattern.finditer(text)
    ]
    for begin, end in near(lower, _NAMED):
        for pattern in _ASSIGNED:
            found += [
                (_secret_field(match[1].replace("-", "_")), match[2]) for match in pattern.finditer(text, begin, end)
            ]
    from nucleate_text_memory.redaction.detectors import provider_secrets  # they bring an HTTP client along

    found += [*(("api_key", secret) for secret in provider_secrets(text)), *shell_secrets(text, lower)]
    return [
        (name, secret) for name, secret in found if secret.lower() not in _NOTHING and not _PLACEHOLDER.search(secret)
    ]


def _secret_field(field: str) -> str:
    snake = _CAMEL.sub("_", field).replace("-", "_")
    match = _FIELD.search(snake)
    if match is None or _HARMLESS.search(snake):
        return ""
    return str(match.lastgroup)


def _is_secret(value: Json, name: str) -> bool:
    if isinstance(value, str):
        shortest = _SHORTEST_TOKEN if name == "token" else 1
        return len(value) >= shortest and value.lower() not in _NOTHING and not _PLACEHOLDER.fullmatch(value)
    return name == "password" and isinstance(value, int) and not isinstance(value, bool)
