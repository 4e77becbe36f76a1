"""Work that takes longer than a page should: its steps as they happen, told to whoever looks."""

from __future__ import annotations

import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from nucleate import events
from nucleate_codifier import GateReport

KEPT = 50


@dataclass(kw_only=True)
class WebWork:
    """One piece of work in a thread: what it is, the tool whose gates tell how far it is, and what came of it."""

    id: str
    title: str
    back: str
    tool: str = ""
    scope: str = ""
    result: Mapping[str, Any] | None = None
    error: str = ""

    @property
    def done(self) -> bool:
        """Return whether it has ended, well or not."""
        return self.result is not None or bool(self.error)


@dataclass(frozen=True, kw_only=True)
class UnderJudgement:
    """A candidate whose gates are being heard: each with its status so far."""

    name: str
    scope: str
    gates: tuple[GateReport, ...]


Do = Callable[[WebWork], Mapping[str, Any]]
KnownErrors = Callable[[Exception], str | None]


class Works:
    """The work of one server, the newest last, and the gates that its runtimes judge by just now."""

    def __init__(self) -> None:
        self._works: OrderedDict[str, WebWork] = OrderedDict()
        self._judging: OrderedDict[tuple[str, str], list[GateReport]] = OrderedDict()
        self._lock = threading.Lock()
        self.count = 0

    def begin(self, title: str, back: str, do: Do, known: KnownErrors, *, tool: str = "", scope: str = "") -> WebWork:
        """Begin in a thread; what `do` returns is shown, and an error that is known is shown as its message."""
        work = WebWork(id=uuid.uuid4().hex[:16], title=title, back=back, tool=tool, scope=scope)
        with self._lock:
            self._works[work.id] = work
            while len(self._works) > KEPT:
                self._works.popitem(last=False)
        threading.Thread(target=_done, args=(work, do, known), daemon=True, name=f"page: {title}").start()
        return work

    def get(self, id_: str) -> WebWork | None:
        """Return one; None where it is long gone."""
        return self._works.get(id_)

    def hear(self, event: events.Event) -> None:
        """Keep what a gate said, and count that something happened."""
        with self._lock:
            self.count += 1
            if isinstance(event, events.GateJudged):
                self._judging.setdefault((event.candidate.scope, event.candidate.name), []).append(event.report)
            elif isinstance(event, events.CandidateJudged):
                self._judging.pop((event.candidate.scope, event.candidate.name), None)
            while len(self._judging) > KEPT:
                self._judging.popitem(last=False)

    def judging(self) -> list[UnderJudgement]:
        """Return the candidates that are being judged in this process."""
        with self._lock:
            found = [(key, tuple(gates)) for key, gates in self._judging.items()]
        return [UnderJudgement(name=name, scope=scope, gates=gates) for (scope, name), gates in found]

    def gates_of(self, scope: str, name: str) -> tuple[GateReport, ...]:
        """Return what the gates said so far of one candidate."""
        with self._lock:
            return tuple(self._judging.get((scope, name), ()))


def _done(work: WebWork, do: Do, known: KnownErrors) -> None:
    try:
        work.result = do(work)
    except Exception as error:  # the outermost loop of this thread
        message = known(error)
        work.error = message or f"{type(error).__name__}: {error}"
        if message is None:
            raise
