"""Admission for repositories: tool modules, their evidence and policy from files; verdicts as reports."""

from nucleate_codifier.repository.cache import FileVerdicts, NoVerdicts
from nucleate_codifier.repository.changes import changed_files, concerned, unchanged
from nucleate_codifier.repository.find import Repository, open_repository
from nucleate_codifier.repository.judge import JudgingSetup, judge_tools
from nucleate_codifier.repository.order import CallGraph, graph_of
from nucleate_codifier.repository.project_values import (
    DescribedFunctions,
    JudgedTool,
    Project,
    RepositoryError,
    ToolFile,
)
from nucleate_codifier.repository.reports.github_report import as_github
from nucleate_codifier.repository.reports.json_report import as_json
from nucleate_codifier.repository.reports.junit_report import as_junit
from nucleate_codifier.repository.reports.report import FindingPlace, RepositoryReport, places, visible
from nucleate_codifier.repository.reports.sarif_report import as_sarif

__all__ = [
    "CallGraph",
    "DescribedFunctions",
    "FileVerdicts",
    "FindingPlace",
    "JudgedTool",
    "JudgingSetup",
    "NoVerdicts",
    "Project",
    "Repository",
    "RepositoryError",
    "RepositoryReport",
    "ToolFile",
    "as_github",
    "as_json",
    "as_junit",
    "as_sarif",
    "changed_files",
    "concerned",
    "graph_of",
    "judge_tools",
    "open_repository",
    "places",
    "unchanged",
    "visible",
]
