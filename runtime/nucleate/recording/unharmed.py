"""What a recorder cannot do is left out and said once: the host program goes on as if nobody recorded it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from nucleate.errors import DatabaseUnusable

LOG = logging.getLogger("nucleate.recording")
_SAID: set[str] = set()
_LOCK = threading.Lock()


def say_once(what: str, message: str) -> None:
    """Log a warning, unless this process has said the same of the same thing."""
    with _LOCK:
        known = what in _SAID
        _SAID.add(what)
    if not known:
        LOG.warning("%s", message)


@contextmanager
def left_out(what: str) -> Iterator[None]:
    """Do without what the block does where that fails; the first failure of each kind is said.

    DatabaseUnusable passes: it is raised here only where the settings ask for it.
    """
    try:
        yield
    except DatabaseUnusable:
        raise
    except Exception as fault:  # noqa: BLE001 - the outermost place of a recorder: the host must not be hurt by it
        kind = type(fault).__name__
        say_once(f"{what}: {kind}", f"{what} is not recorded ({kind}: {_said(fault)}); the program is not affected")


def _said(fault: Exception) -> str:
    try:
        return " ".join(str(fault).split())[:300]
    except Exception:  # noqa: BLE001 - an exception of the host's may have a text that raises
        return "it has no text"
