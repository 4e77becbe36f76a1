"""The memory as one reads it: entries in force, found, shown, compared, and as they were at another time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from nucleate_text_memory.reading import counting, timeline
from nucleate_text_memory.reading import entry_rows as entries
from nucleate_text_memory.reading.statements import EntryCondition, QueryRunner
from nucleate_text_memory.reading.timeline import Difference
from nucleate_text_memory.values import Entry, EntryStatus, Event, Kind, Selected

_HELD = EntryCondition(text="status = :held", values={"held": EntryStatus.QUARANTINED.value})

if TYPE_CHECKING:
    from nucleate_text_memory.embedding.embedders import Embedder
    from nucleate_text_memory.reading.finding import Finder


def now() -> datetime:
    """Return the time, in UTC."""
    return datetime.now(UTC)


class MemoryReader:
    """Entries that are read, in whatever runs plain SQL; `reading` opens it for one question."""

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[QueryRunner]],
        *,
        embedder: Callable[[], Embedder],
        clock: Callable[[], datetime] = now,
    ) -> None:
        self._reading = reading
        self._embedding = embedder
        self._clock = clock

    def select(self, query: str, *, scope: str, kinds: Iterable[Kind] = tuple(Kind), limit: int = 8) -> list[Selected]:
        """Return the valid entries that answer a query best, by the default program; none that scores 0."""
        wanted = tuple(sorted({kind.value for kind in kinds}))
        with self._reading() as run:
            asked = [*entries.within(run, scope), entries.in_force(self._clock()), entries.among("kind", wanted)]
            return self._finder.find(run, query, asked, key=(scope, wanted), limit=limit)

    def entries(
        self, scope: str | None = None, kind: Kind | str | None = None, *, valid_only: bool = True
    ) -> list[Entry]:
        """Return the entries in force (of a scope and those that it sees, of a kind), in the order added; or all."""
        wanted = [entries.among("kind", [Kind(kind).value])] if kind is not None else []
        return self._read(scope, *wanted, *([entries.in_force(self._clock())] if valid_only else ()))

    def entry(self, id_: str) -> Entry:
        """Return one entry, valid or not."""
        with self._reading() as run:
            return entries.get(run, id_)

    def scopes(self) -> list[str]:
        """Return every scope that a task or an entry has, sorted."""
        with self._reading() as run:
            return entries.scopes(run)

    def quarantine(self, scope: str | None = None) -> list[Entry]:
        """Return the entries that wait for support or for a person's decision, with why."""
        return self._read(scope, _HELD)

    def as_of(
        self, scope: str, *, valid: datetime | None = None, known: datetime | None = None, kind: Kind | None = None
    ) -> list[Entry]:
        """Return what was true at `valid` as far as it was known at `known` (either now, if it is not given)."""
        at = self._clock()
        with self._reading() as run:
            asked = [*entries.within(run, scope), *([entries.among("kind", [kind.value])] if kind else ())]
            return timeline.as_of(run, valid=valid or at, known=known or at, within=asked)

    def history(self, id_: str) -> list[Event]:
        """Return what was done to an entry and to its other versions, in order."""
        with self._reading() as run:
            entries.get(run, id_)
            return timeline.events_of(run, timeline.lineage(run, id_))

    def ended(self, after: int = 0) -> tuple[int, list[Entry]]:
        """Return the number of the newest event, and the entries that were invalidated or superseded after another."""
        with self._reading() as run:
            return timeline.ended(run, after)

    def diff(self, before: str, after: str) -> list[Difference]:
        """Return the fields in which two entries differ."""
        with self._reading() as run:
            return timeline.differences(entries.get(run, before), entries.get(run, after))

    def stats(self) -> dict[str, int]:
        """Return how many trajectories there are, how many were solved, and how many entries by kind and by status."""
        with self._reading() as run:
            return counting.counts(run)

    @cached_property
    def _finder(self) -> Finder:
        from nucleate_text_memory.reading.finding import Finder  # it brings numpy along: who searches pays for it

        return Finder(self._embedding())

    def _read(self, scope: str | None, *conditions: EntryCondition) -> list[Entry]:
        with self._reading() as run:
            return entries.where(run, *entries.within(run, scope), *conditions)
