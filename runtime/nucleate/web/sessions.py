"""Who may come in: a link that works once, tokens, and what a session may do afterwards."""

from __future__ import annotations

import getpass
import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from nucleate.errors import InputInvalid

HOURS = 12
MOST_SESSIONS = 500
SHORTEST = 16
NOTICES = 8


class WebRole(StrEnum):
    """What a session may do: look at everything, or also change."""

    LOOK = "look"
    CHANGE = "change"


@dataclass(frozen=True, kw_only=True)
class Notice:
    """A line that is shown once: what was done, and the address that takes it back where there is one."""

    text: str
    good: bool = True
    undo: str = ""


@dataclass(kw_only=True)
class WebSession:
    """One browser that was let in; `secret` makes the tokens of its forms."""

    role: WebRole
    who: str
    until: float
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    notices: list[Notice] = field(default_factory=list)

    def token(self) -> str:
        """Return a token for a form: another one each time, so that a compressed page gives nothing away."""
        salt = secrets.token_hex(8)
        return f"{salt}.{self._signed(salt)}"

    def knows(self, token: str) -> bool:
        """Return whether a token is one of this session."""
        salt, _, signed = token.partition(".")
        return hmac.compare_digest(signed.encode(), self._signed(salt).encode())

    def say(self, notice: Notice) -> None:
        """Keep a notice for the next page."""
        self.notices = [*self.notices, notice][-NOTICES:]

    def heard(self) -> list[Notice]:
        """Return the notices, and forget them."""
        told, self.notices = self.notices, []
        return told

    def _signed(self, salt: str) -> str:
        return hmac.new(self.secret, salt.encode(), hashlib.sha256).hexdigest()


class WebAccess:
    """The keys that open the page, and the sessions that they opened. Everything is in memory: a restart ends all."""

    def __init__(
        self, tokens: Mapping[str, WebRole] | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        if short := [token for token in tokens or {} if len(token) < SHORTEST]:
            raise InputInvalid(f"a token of {len(short[0])} characters can be guessed; give one of at least {SHORTEST}")
        self._tokens = {_hashed(token): role for token, role in (tokens or {}).items()}
        self._links: dict[str, WebRole] = {}
        self._sessions: dict[str, WebSession] = {}
        self._clock = clock
        self._lock = threading.Lock()

    @property
    def by_token(self) -> bool:
        """Return whether a token opens the page."""
        return bool(self._tokens)

    def link_key(self, role: WebRole = WebRole.CHANGE) -> str:
        """Return a key that opens one session, once."""
        key = secrets.token_urlsafe(24)
        with self._lock:
            self._links[_hashed(key)] = role
        return key

    def enter(self, key: str) -> str | None:
        """Return the cookie of a new session for a link's key or a token; None for anything else."""
        found = _hashed(key)
        with self._lock:
            role = self._links.pop(found, None) or self._tokens.get(found)
            if role is None:
                return None
            if len(self._sessions) >= MOST_SESSIONS:
                self._sessions.pop(next(iter(self._sessions)))
            cookie = secrets.token_urlsafe(32)
            session = WebSession(role=role, who=getpass.getuser(), until=self._clock() + HOURS * 3600)
            self._sessions[_hashed(cookie)] = session
            return cookie

    def session(self, cookie: str) -> WebSession | None:
        """Return the session of a cookie, while it lasts."""
        with self._lock:
            found = self._sessions.get(_hashed(cookie))
            if found is not None and found.until < self._clock():
                del self._sessions[_hashed(cookie)]
                return None
            return found

    def leave(self, cookie: str) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(_hashed(cookie), None)


def read_roles(file: Path | None, given: str | None) -> dict[str, WebRole]:
    """Return the tokens of a file, one a line, as `TOKEN`, `change TOKEN` or `look TOKEN`; or the given one."""
    if file is None:
        return {given: WebRole.CHANGE} if given else {}
    try:
        lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    except OSError as error:
        raise InputInvalid(f"the token file {str(file)!r} cannot be read: {error.strerror}") from error
    found = dict(_role(words) for words in lines if words and not words[0].startswith("#"))
    if not found:
        raise InputInvalid(f"the token file {str(file)!r} holds no token; write one a line")
    return found


def _role(words: Sequence[str]) -> tuple[str, WebRole]:
    if len(words) == 1:
        return words[0], WebRole.CHANGE
    if len(words) == 2 and words[0] in set(WebRole):
        return words[1], WebRole(words[0])
    raise InputInvalid("a line of the token file is TOKEN, `change TOKEN` or `look TOKEN`")


def _hashed(secret: str) -> str:
    """Return what a secret is kept and looked up as: a look-up by hash tells nothing of how near a guess was."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
