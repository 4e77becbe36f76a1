"""Turns recurring plans into candidate tools, and judges candidates."""

import typing

from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate_codifier.admission.admit import admit
    from nucleate_codifier.admission.fingerprint import fingerprint
    from nucleate_codifier.admission.subject import Subject
    from nucleate_codifier.admission.verdict_json import read_verdict, verdict_json
    from nucleate_codifier.buffers import Buffer
    from nucleate_codifier.entities import Entities
    from nucleate_codifier.judgements import Judgement
    from nucleate_codifier.recurrence import Recurrence
    from nucleate_codifier.remembered import VerdictMemory, admit_once
    from nucleate_codifier.trace import Codified, Refusal, Template, codify, rewrite
    from nucleate_codifier.values import (
        AdmissionPolicy,
        Candidate,
        Decision,
        EnvironmentView,
        Evidence,
        Example,
        Finding,
        Gate,
        GateReport,
        ImportLevel,
        LibraryView,
        Similar,
        Status,
        Verdict,
    )
    from nucleate_codifier.verdicts import Verdicts, refusal_verdict
else:
    _PLACES = {
        "AdmissionPolicy": "values",
        "Buffer": "buffers",
        "Candidate": "values",
        "Codified": "trace",
        "Entities": "entities",
        "Decision": "values",
        "EnvironmentView": "values",
        "Evidence": "values",
        "Example": "values",
        "Finding": "values",
        "Gate": "values",
        "GateReport": "values",
        "ImportLevel": "values",
        "Judgement": "judgements",
        "LibraryView": "values",
        "Recurrence": "recurrence",
        "Refusal": "trace",
        "Similar": "values",
        "Status": "values",
        "Subject": "admission.subject",
        "Template": "trace",
        "Verdict": "values",
        "VerdictMemory": "remembered",
        "Verdicts": "verdicts",
        "admit": "admission.admit",
        "admit_once": "remembered",
        "codify": "trace",
        "fingerprint": "admission.fingerprint",
        "read_verdict": "admission.verdict_json",
        "refusal_verdict": "verdicts",
        "rewrite": "trace",
        "verdict_json": "admission.verdict_json",
    }
    __getattr__ = _lazily(__name__, {name: f"{__name__}.{module}" for name, module in _PLACES.items()})

__all__ = [
    "AdmissionPolicy",
    "Buffer",
    "Candidate",
    "Codified",
    "Decision",
    "Entities",
    "EnvironmentView",
    "Evidence",
    "Example",
    "Finding",
    "Gate",
    "GateReport",
    "ImportLevel",
    "Judgement",
    "LibraryView",
    "Recurrence",
    "Refusal",
    "Similar",
    "Status",
    "Subject",
    "Template",
    "Verdict",
    "VerdictMemory",
    "Verdicts",
    "admit",
    "admit_once",
    "codify",
    "fingerprint",
    "read_verdict",
    "refusal_verdict",
    "rewrite",
    "verdict_json",
]
