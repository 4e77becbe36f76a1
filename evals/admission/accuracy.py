"""Counts what admission made of the corpus: false refusals, defects that got through, and which gate caught what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.admission.judging import Judged


@dataclass(frozen=True, kw_only=True)
class Accuracy:
    """One half of the corpus, judged."""

    half: str
    judged: tuple[Judged, ...]

    @property
    def good(self) -> Sequence[Judged]:
        """Return the good candidates."""
        return [item for item in self.judged if not item.labelled.defect]

    @property
    def bad(self) -> Sequence[Judged]:
        """Return the candidates with a defect."""
        return [item for item in self.judged if item.labelled.defect]

    @property
    def falsely_refused(self) -> Sequence[Judged]:
        """Return the good candidates that were not admitted."""
        return [item for item in self.good if not item.admitted]

    @property
    def falsely_admitted(self) -> Sequence[Judged]:
        """Return the candidates with a defect that were admitted."""
        return [item for item in self.bad if item.admitted]

    @property
    def unsafe_admitted(self) -> Sequence[Judged]:
        """Return those of them that could have done harm."""
        return [item for item in self.falsely_admitted if item.labelled.unsafe]

    @property
    def caught_first(self) -> Mapping[str, int]:
        """Return for each gate how many defects it was the first to refuse."""
        return Counter(item.caught_by.partition("/")[0] for item in self.bad if not item.admitted)
