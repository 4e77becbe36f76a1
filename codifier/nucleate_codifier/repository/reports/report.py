"""What became of a repository's tools, as one value that every format is made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from nucleate_codifier.repository.project_values import JudgedTool, decide
from nucleate_codifier.values import Decision, Finding, GateReport, Status

ENDINGS = {
    Decision.ADMITTED: 0,
    Decision.REJECTED: 1,
    Decision.UNJUDGED: 2,
    Decision.PROVISIONAL: 2,  # everything passed, but nothing that is a boundary said so: that is no admission
}

MAX_EXCERPT = 300


@dataclass(frozen=True, kw_only=True)
class RepositoryReport:
    """Every judged tool in the order of paths, and the seconds that it all took."""

    judged: tuple[JudgedTool, ...]
    version: str
    seconds: float = field(default=0.0, compare=False)

    @property
    def decision(self) -> Decision:
        return decide(self.judged)

    @property
    def exit_code(self) -> int:
        """Return 0 when all are admitted, 1 when one is refused, 2 when one could not be judged for good."""
        return ENDINGS[self.decision]

    @property
    def counts(self) -> dict[str, int]:
        """Return how many tools each decision was made on, decisions without any left out."""
        found = Counter(item.verdict.decision for item in self.judged)
        return {decision.value: found[decision] for decision in Decision if found[decision]}


@dataclass(frozen=True, kw_only=True)
class FindingPlace:
    """One finding with the tool and the gate that it belongs to."""

    judged: JudgedTool
    gate: GateReport
    finding: Finding

    @property
    def is_refusal(self) -> bool:
        return self.gate.status is Status.REFUSED

    @property
    def line(self) -> int:
        """Return the finding's line, or the first: a finding without one is about the module."""
        return self.finding.line or 1

    @property
    def excerpt(self) -> str:
        """Return the source line that the finding names, cut where nobody reads on, or nothing."""
        source = self.judged.tool.candidate.source.split("\n")
        number = self.finding.line or 0
        line = source[number - 1].strip() if 0 < number <= len(source) else ""
        return line if len(line) <= MAX_EXCERPT else f"{line[: MAX_EXCERPT - 1]}…"


def places(judged: JudgedTool) -> Iterator[FindingPlace]:
    """Yield every finding about one tool, in the order of the gates."""
    for gate in judged.verdict.gates:
        for finding in gate.findings:
            yield FindingPlace(judged=judged, gate=gate, finding=finding)


def visible(text: str) -> str:
    """Return a text in which every character can be seen: a terminal or a log must not be steered by a source."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
