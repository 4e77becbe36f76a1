"""Calls wait for their answers: an answer belongs to the first open call that has its id, since ids may repeat."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class OpenCalls(Generic[T]):
    """The calls that are not answered yet, in the order in which they were made."""

    def __init__(self) -> None:
        self._open: list[tuple[str | None, str, T]] = []

    def __len__(self) -> int:
        return len(self._open)

    def ask(self, id_: str | None, call: T, *, name: str = "") -> None:
        """Remember a call."""
        self._open.append((id_, name, call))

    def answer(self, id_: str | None, *, name: str | None = None) -> T | None:
        """Return the call that an answer belongs to, which is open no more; None where there is none.

        An answer without an id belongs to the first open call of its name; without a name as well, to the first one
        that has no id.
        """
        for index, (known, called, call) in enumerate(self._open):
            if known == id_ if id_ is not None or name is None else called == name:
                del self._open[index]
                return call
        return None
