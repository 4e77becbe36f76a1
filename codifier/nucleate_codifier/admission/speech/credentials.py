"""Secrets in a text: the detectors of detect-secrets, and patterns of our own. Nothing is verified over a network.

Some of those patterns take cubic time on a hostile text (`secretsecret…`), so each looks at short windows only.
"""

from __future__ import annotations

import ast
import math
import re
from collections import Counter
from collections.abc import Iterator

from detect_secrets.plugins.keyword import KeywordDetector

from nucleate_text_memory.redaction.detectors import DETECTORS

WINDOW, OVERLAP = 320, 120
MIN_RANDOM = 24
MIN_ENTROPY = 4.0  # bits for each character: English text has about 4 over 27 letters, but holds spaces

_KEYWORDS = KeywordDetector()
_PATTERNS = {
    "a private key": re.compile(r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----"),
    "a provider's key": re.compile(r"\b(?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abprs])[-_][A-Za-z0-9_-]{16,}"),
    "a cloud access key": re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    "a bearer token": re.compile(r"\bBearer\s{1,4}[A-Za-z0-9._~+/-]{16,}=*", re.IGNORECASE),
    "a password": re.compile(r"\b(?:password|passwd|secret|api[_-]?key)=\S{4,}", re.IGNORECASE),
}
_RUN = re.compile(r"[A-Za-z0-9+/=_-]+")


def secret_in(text: str) -> str | None:
    """Return what kind of secret a text seems to hold, if any."""
    found = next((kind for window in _windows(text) for kind in _kinds(window)), None)
    if found is None and any(_is_random(run) for run in _RUN.findall(text)):
        return "a long random text"
    return found


def named_secrets(module: ast.Module) -> Iterator[tuple[str, int]]:
    """Yield (name, line) where a name that stands for a secret is given a literal text."""
    for node in ast.walk(module):
        for name, value in _pairs(node):
            if isinstance(value, ast.Constant) and isinstance(value.value, str) and _is_named(name, value.value):
                yield name, value.lineno


def _is_named(name: str, value: str) -> bool:
    line = f"{name[:80]} = {value[:120]!r}"
    return bool(_KEYWORDS.analyze_line("tool.py", line, 1))


def _pairs(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target.id, value) for target in targets if isinstance(target, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name), value=value):
            yield name, value
        case ast.keyword(arg=str() as name, value=value):
            yield name, value
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value
        case ast.arguments():
            plain = [*node.posonlyargs, *node.args]
            defaults = plain[len(plain) - len(node.defaults) :]
            yield from ((arg.arg, value) for arg, value in zip(defaults, node.defaults, strict=True))
            yield from ((arg.arg, value) for arg, value in zip(node.kwonlyargs, node.kw_defaults, strict=True))


def _kinds(text: str) -> Iterator[str]:
    for kind, pattern in _PATTERNS.items():
        if pattern.search(text):
            yield kind
    for detector in DETECTORS:
        if next(iter(detector.analyze_string(text)), None) is not None:
            yield detector.secret_type


def _windows(text: str) -> Iterator[str]:
    step = WINDOW - OVERLAP
    for start in range(0, max(1, len(text) - OVERLAP), step):
        yield text[start : start + WINDOW]


def _is_random(run: str) -> bool:
    mixed = any(character.isdigit() for character in run) and any(character.isalpha() for character in run)
    return len(run) >= MIN_RANDOM and mixed and _bits(run) >= MIN_ENTROPY


def _bits(text: str) -> float:
    """Return the Shannon entropy of a text in bits for each character."""
    counts = Counter(text)
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts.values())
