"""Verdicts in files, one for each hash of what it depended on; a damaged file is ignored and named."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path

from nucleate_codifier.admission.fingerprint import lasts
from nucleate_codifier.admission.verdict_json import read_verdict, verdict_json
from nucleate_codifier.values import Candidate, Verdict
from nucleate_sandbox import JsonError, JsonObject, parse


class FileVerdicts:
    """Remembers verdicts in a folder of the user's own: one in the repository could be forged by a pull request."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.hits: set[str] = set()
        self.damaged: list[str] = []

    def find(self, depends_on: str) -> Verdict | None:
        """Return the verdict on these grounds, or None; what cannot be verified counts as none."""
        path = self._path(depends_on)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        try:
            verdict = _verified(data, depends_on)
        except (JsonError, ValueError, KeyError, TypeError, AttributeError):
            self.damaged.append(path.name)
            return None
        self.hits.add(depends_on)
        return verdict

    def add(self, candidate: Candidate, verdict: Verdict) -> None:  # noqa: ARG002 - the verdict names its grounds
        """Keep a verdict, in one step; never an outage or a time-out. A folder that cannot be written keeps nothing."""
        if not lasts(verdict):
            return
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=self._folder, delete=False) as file:
                file.write(_entry(verdict))
            os.replace(file.name, self._path(verdict.depends_on))  # noqa: PTH105 - it names what it does

    def _path(self, depends_on: str) -> Path:
        return self._folder / f"{depends_on}.json"


class NoVerdicts:
    """Remembers nothing: everything is judged anew."""

    def __init__(self) -> None:
        self.hits: set[str] = set()
        self.damaged: list[str] = []

    def find(self, depends_on: str) -> Verdict | None:  # noqa: ARG002 - nothing is known of any grounds
        """Return None."""
        return None

    def add(self, candidate: Candidate, verdict: Verdict) -> None:
        """Forget the verdict."""


def _entry(verdict: Verdict) -> str:
    text = json.dumps(verdict_json(verdict), ensure_ascii=False)
    return json.dumps({"sha256": _hash(text), "verdict": text})


def _verified(data: bytes, depends_on: str) -> Verdict:
    entry = _object(data)
    text = str(entry["verdict"])
    verdict = read_verdict(_object(text))
    if entry["sha256"] != _hash(text) or verdict.depends_on != depends_on:
        raise ValueError("the entry is not what was written")
    return verdict


def _object(text: str | bytes) -> JsonObject:
    value = parse(text)
    if not isinstance(value, dict):
        raise TypeError("the entry is not an object")
    return value


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
