"""What makes two things the same: canonical JSON text, content hashes, and the key of a distinct input."""

from __future__ import annotations

import hashlib
import json
import unicodedata

from nucleate_text_memory.errors import MemoryFault
from nucleate_text_memory.values import Draft, Json, JsonObject, Trajectory


def canonical(value: Json) -> str:
    """Return the one text that equal JSON values share: sorted keys, no spaces, ASCII, no NaN."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise MemoryFault(f"not a JSON value: {error}; store plain JSON only") from error


def written(value: Json) -> str:
    """Return a JSON text to be stored: its keys stay in their order, since a choice by position depends on it."""
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise MemoryFault(f"not a JSON value: {error}; store plain JSON only") from error


def digest(value: Json) -> str:
    """Return the SHA-256 of a JSON value in hexadecimal."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def input_key(query: str) -> str:
    """Return the key of a distinct input: queries that differ in case and white space alone share it."""
    return digest(" ".join(unicodedata.normalize("NFKC", query).casefold().split()))


def pool_key(kind: str, scope: str, signature: tuple[str, ...]) -> str:
    """Return the key under which evidence for one signature in one scope is collected."""
    return digest([kind, scope, list(signature)])


def content_hash(trajectory: Trajectory) -> str:
    """Return the hash of everything a trajectory says."""
    said: JsonObject = {"said": [[one.text, one.at] for one in trajectory.said]} if trajectory.said else {}
    return digest(
        {
            **said,
            "query": trajectory.query,
            "environment": trajectory.environment,
            "success": trajectory.success,
            "reward": trajectory.reward,
            "steps": [
                [s.function, s.arguments, s.result, [s.error.kind, s.error.message] if s.error else None]
                for s in trajectory.steps
            ],
        }
    )


def entry_id(draft: Draft, supersedes: tuple[str, ...]) -> str:
    """Return the content-addressed id of an entry. A revision back to earlier words is an entry of its own."""
    content: list[Json] = [draft.kind.value, draft.scope, draft.title, draft.body, list(draft.signature)]
    period: list[Json] = [moment.isoformat() for moment in (draft.valid_from, draft.valid_to) if moment]
    return f"{draft.kind.value}-{digest([*content, *sorted(supersedes), *period])[:16]}"
