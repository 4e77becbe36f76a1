"""Content that stays outside: an agent passes on which bytes they are, not what they hold."""

from __future__ import annotations

import hashlib

from nucleate_sandbox import JsonObject


def reference(content: bytes) -> JsonObject:
    """Return size and digest of some bytes."""
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
