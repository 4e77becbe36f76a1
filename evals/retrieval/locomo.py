"""LoCoMo conversations: each a collection of its turns, with questions whose evidence is known (evaluation only)."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nucleate_text_memory import Collection, Document, Embedder

VARIABLE = "NUCLEATE_LOCOMO"
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
TUNED = ("26", "41", "42", "43")
_TIME = "%I:%M %p on %d %B, %Y"


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question and the ids of the turns that hold its answer."""

    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """One conversation as a collection, and its questions of categories 1 to 4 that have evidence."""

    name: str
    collection: Collection
    questions: tuple[Question, ...]

    @property
    def tuned(self) -> bool:
        """Return whether weights were fitted on it."""
        return self.name in TUNED


def data_folder(given: Path | None) -> Path:
    """Return the folder of the conversations: as given, or as the environment says."""
    folder = given or Path(os.environ.get(VARIABLE, ""))
    if folder == Path() or not any(folder.glob("*.json")):
        raise SystemExit(f"no conversations in {str(folder)!r}; give --data FOLDER, or set {VARIABLE}")
    return folder


def conversations(folder: Path, *, embedder: Embedder | None) -> list[Conversation]:
    """Return the conversations of a folder, in order of name."""
    return [_conversation(path, embedder) for path in sorted(folder.glob("*.json"))]


def _conversation(path: Path, embedder: Embedder | None) -> Conversation:
    data = json.loads(path.read_text(encoding="utf-8"))
    documents = [_document(turn) for turn in data["turns"]]
    known = {document.id for document in documents}
    asked = (
        Question(text=q["question"], category=q["category"], evidence=frozenset(known.intersection(q["evidence"])))
        for q in data["questions"]
    )
    questions = tuple(q for q in asked if q.category in CATEGORIES and q.evidence)
    return Conversation(name=path.stem, collection=Collection(documents, embedder=embedder), questions=questions)


def _document(turn: dict[str, str]) -> Document:
    caption = turn.get("caption")
    return Document(
        id=turn["id"],
        text=f"{turn['text']} {caption}" if caption else turn["text"],
        author=turn["speaker"],
        time=datetime.strptime(re.sub(r"\s+", " ", turn["date"]).strip(), _TIME),
        group=str(turn["session"]),
    )


def names(found: Sequence[Conversation]) -> str:
    """Return the names of conversations as one text."""
    return ", ".join(conversation.name for conversation in found)
