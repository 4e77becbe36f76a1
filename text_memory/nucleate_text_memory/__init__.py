"""Trajectories and typed entries: stored, maintained and found again."""

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
