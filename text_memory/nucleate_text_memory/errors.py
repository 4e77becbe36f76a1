"""What text memory refuses to do; each message names the value and the next step."""

from __future__ import annotations


class MemoryFault(Exception):
    """Text memory was asked for something that it cannot do."""


class UnknownScope(MemoryFault):
    """No trajectory and no entry has this scope."""


class UnknownTask(MemoryFault):
    """No trajectory is stored for this task."""


class UnknownEntry(MemoryFault):
    """No entry has this id."""


class TaskConflict(MemoryFault):
    """Another trajectory is stored under this task id already."""


class EntryConflict(MemoryFault):
    """The change contradicts what is stored: another scope, another kind, or content that was invalidated."""


class EmbedderChanged(MemoryFault):
    """Stored vectors were made by another model than the one in use."""


class EmbedderUnavailable(MemoryFault):
    """The embedding model's files are not installed."""


class ContractRefusal(MemoryFault):
    """The memory contract forbids a write; the message begins with the clause."""


class EntryAltered(MemoryFault):
    """What an entry says was changed from outside since it was written."""


class BadProgram(MemoryFault):
    """A retrieval program holds what no primitive or data file of the package is."""
