"""Trajectories and typed entries: stored, maintained and found again."""

import importlib
import typing

if typing.TYPE_CHECKING:
    from nucleate_text_memory.contents import FactContent, PitfallContent, PlanContent, content_from
    from nucleate_text_memory.embedding.embedders import Embedder, LocalEmbedder
    from nucleate_text_memory.embedding.service import LiteLLMEmbedder
    from nucleate_text_memory.entries.contract import Contract
    from nucleate_text_memory.entries.drafts import drafted
    from nucleate_text_memory.errors import (
        BadProgram,
        ContractRefusal,
        EmbedderChanged,
        EmbedderUnavailable,
        EntryAltered,
        EntryConflict,
        MemoryFault,
        TaskConflict,
        UnknownEntry,
        UnknownScope,
        UnknownTask,
    )
    from nucleate_text_memory.identity import input_key
    from nucleate_text_memory.inputs import count_groups, group_numbers, input_of
    from nucleate_text_memory.memory import TextMemory
    from nucleate_text_memory.reading.memory_reader import MemoryReader
    from nucleate_text_memory.recordings.formats import FORMATS
    from nucleate_text_memory.recordings.ingest import BadLine, read_trajectories
    from nucleate_text_memory.retrieval import (
        Collection,
        Document,
        EvidenceView,
        Hit,
        Program,
        Query,
        Reason,
        Weights,
        retrieve,
    )
    from nucleate_text_memory.retrieval.ranking import rank
    from nucleate_text_memory.scopes import Scope
    from nucleate_text_memory.values import (
        Draft,
        Entry,
        EntryStatus,
        Event,
        Kind,
        Occurrence,
        Reflection,
        Selected,
        Sensitivity,
        SourceSpan,
        Step,
        StepError,
        Trajectory,
        Trust,
        Utterance,
    )
else:
    _PLACES = {
        "BadLine": "recordings.ingest",
        "BadProgram": "errors",
        "Collection": "retrieval",
        "Contract": "entries.contract",
        "ContractRefusal": "errors",
        "Document": "retrieval",
        "Draft": "values",
        "Embedder": "embedding.embedders",
        "EmbedderChanged": "errors",
        "EmbedderUnavailable": "errors",
        "Entry": "values",
        "EntryAltered": "errors",
        "EntryConflict": "errors",
        "EntryStatus": "values",
        "Event": "values",
        "EvidenceView": "retrieval",
        "FORMATS": "recordings.formats",
        "FactContent": "contents",
        "Hit": "retrieval",
        "Kind": "values",
        "LiteLLMEmbedder": "embedding.service",
        "LocalEmbedder": "embedding.embedders",
        "MemoryFault": "errors",
        "Occurrence": "values",
        "PitfallContent": "contents",
        "PlanContent": "contents",
        "Program": "retrieval",
        "Query": "retrieval",
        "Reason": "retrieval",
        "Reflection": "values",
        "Scope": "scopes",
        "Selected": "values",
        "Sensitivity": "values",
        "SourceSpan": "values",
        "Step": "values",
        "StepError": "values",
        "TaskConflict": "errors",
        "MemoryReader": "reading.memory_reader",
        "TextMemory": "memory",
        "Trajectory": "values",
        "Trust": "values",
        "UnknownEntry": "errors",
        "UnknownScope": "errors",
        "UnknownTask": "errors",
        "Utterance": "values",
        "Weights": "retrieval",
        "content_from": "contents",
        "drafted": "entries.drafts",
        "count_groups": "inputs",
        "group_numbers": "inputs",
        "input_key": "identity",
        "input_of": "inputs",
        "rank": "retrieval.ranking",
        "read_trajectories": "recordings.ingest",
        "retrieve": "retrieval",
    }

    def __getattr__(name: str) -> object:
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)


__all__ = [
    "FORMATS",
    "BadLine",
    "BadProgram",
    "Collection",
    "Contract",
    "ContractRefusal",
    "Document",
    "Draft",
    "Embedder",
    "EmbedderChanged",
    "EmbedderUnavailable",
    "Entry",
    "EntryAltered",
    "EntryConflict",
    "EntryStatus",
    "Event",
    "EvidenceView",
    "FactContent",
    "Hit",
    "Kind",
    "LiteLLMEmbedder",
    "LocalEmbedder",
    "MemoryFault",
    "MemoryReader",
    "Occurrence",
    "PitfallContent",
    "PlanContent",
    "Program",
    "Query",
    "Reason",
    "Reflection",
    "Scope",
    "Selected",
    "Sensitivity",
    "SourceSpan",
    "Step",
    "StepError",
    "TaskConflict",
    "TextMemory",
    "Trajectory",
    "Trust",
    "UnknownEntry",
    "UnknownScope",
    "UnknownTask",
    "Utterance",
    "Weights",
    "content_from",
    "count_groups",
    "drafted",
    "group_numbers",
    "input_key",
    "input_of",
    "rank",
    "read_trajectories",
    "retrieve",
]
