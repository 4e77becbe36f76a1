"""What calls have shown of an environment's functions: results, arguments, what they need and what they change."""

from nucleate_text_memory.notes.function_notes import FunctionNotes, observe
from nucleate_text_memory.notes.wording import needs, note_text

__all__ = ["FunctionNotes", "needs", "note_text", "observe"]
