"""The values of a repository under judgement: projects, their tool files, and what became of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nucleate_codifier.values import AdmissionPolicy, Candidate, Decision, EnvironmentView, Evidence, Verdict
from nucleate_sandbox import FunctionSpec


class RepositoryError(ValueError):
    """A file of the repository cannot be used. The message names it, the value and the next step."""


@dataclass(frozen=True, kw_only=True)
class DescribedFunctions:
    """The functions of an environment as a file describes them; `name` is the scope of the tools."""

    name: str
    functions: Mapping[str, FunctionSpec]


# (text, name for a file that has none) → functions; raises ValueError for a text that describes none.
ReadFunctions = Callable[[str, str], DescribedFunctions]


@dataclass(frozen=True, kw_only=True)
class Project:
    """A folder with `[tool.nucleate]` in its pyproject.toml, and what that says.

    `inputs` are the files that every verdict of the project depends on, as paths from the repository's root.
    """

    folder: Path
    environment: EnvironmentView
    policy: AdmissionPolicy
    tools: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ToolFile:
    """One tool module with its evidence. `path` leads from the repository's root, with slashes.

    `fault` says why a file of it cannot be read: then it has no source, and is refused for that alone.
    """

    path: str
    project: Project
    candidate: Candidate
    evidence: Evidence
    fault: str = ""

    @property
    def name(self) -> str:
        return self.candidate.name

    @property
    def key(self) -> tuple[str, str]:
        """Return what no other tool of the repository has: scope and name."""
        return self.candidate.scope, self.candidate.name


@dataclass(frozen=True, kw_only=True)
class JudgedTool:
    """A tool and its verdict. `dependencies` are the names of the tools that it calls."""

    tool: ToolFile
    verdict: Verdict
    dependencies: tuple[str, ...] = ()
    cached: bool = field(default=False, compare=False)
    milliseconds: float = field(default=0.0, compare=False)


def decide(judged: tuple[JudgedTool, ...]) -> Decision:
    """Return the decision on all together: one refusal refuses, and what nobody could judge is not admitted."""
    found = {item.verdict.decision for item in judged}
    order = (Decision.REJECTED, Decision.UNJUDGED, Decision.PROVISIONAL)
    return next((decision for decision in order if decision in found), Decision.ADMITTED)
