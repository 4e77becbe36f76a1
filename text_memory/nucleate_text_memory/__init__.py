"""Trajectories and typed entries: stored, maintained and found again."""

from nucleate_text_memory.embedding import Embedder, LocalEmbedder
from nucleate_text_memory.errors import (
    EmbedderChanged,
    EmbedderUnavailable,
    EntryConflict,
    MemoryFault,
    TaskConflict,
    UnknownEntry,
    UnknownScope,
    UnknownTask,
)
from nucleate_text_memory.identity import input_key
from nucleate_text_memory.ingest import BadLine, read_trajectories
from nucleate_text_memory.memory import TextMemory
from nucleate_text_memory.ranking import rank
from nucleate_text_memory.values import (
    Draft,
    Entry,
    Evidence,
    Kind,
    Occurrence,
    Reflection,
    Selected,
    Step,
    StepError,
    Trajectory,
)

__all__ = [
    "BadLine",
    "Draft",
    "Embedder",
    "EmbedderChanged",
    "EmbedderUnavailable",
    "Entry",
    "EntryConflict",
    "Evidence",
    "Kind",
    "LocalEmbedder",
    "MemoryFault",
    "Occurrence",
    "Reflection",
    "Selected",
    "Step",
    "StepError",
    "TaskConflict",
    "TextMemory",
    "Trajectory",
    "UnknownEntry",
    "UnknownScope",
    "UnknownTask",
    "input_key",
    "rank",
    "read_trajectories",
]
