"""A transcript: one message a line, in the form of any provider that is known, tasks split by the user's turns."""

from __future__ import annotations

from nucleate_text_memory.recordings.formats.reader import Read, RecordingSource, loads
from nucleate_text_memory.recordings.messages import happenings
from nucleate_text_memory.recordings.sessions import AgentSession


class Transcript:
    """Reads the messages of one conversation."""

    def __init__(self, source: RecordingSource) -> None:
        self._source = source
        self._session: AgentSession | None = None

    def read(self, number: int, text: str) -> Read:  # noqa: ARG002 - the signature is the Reader's
        """Yield the task that a message ends."""
        message = loads(text)
        if self._session is None:
            name = f"transcript:{self._source.name}"
            meta = {"format": "transcript"}
            self._session = self._source.session(name, environment=self._source.scope(), meta={**meta})
        for happening in happenings(message):
            ended = self._session.take(happening)
            if ended is not None:
                yield ended

    def end(self) -> Read:
        """Yield the last task."""
        ended = self._session.end() if self._session else None
        return () if ended is None else (ended,)
