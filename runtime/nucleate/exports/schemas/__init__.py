"""Tools as the providers of models want to be told of them, and arguments as they send them back."""

from nucleate.exports.schemas.provider_names import IDENTIFIER, SLUG, TOOL, mapped
from nucleate.exports.schemas.providers import DEFINE, Definition, anthropic_tool, gemini_tool, openai_tool
from nucleate.exports.schemas.restoring import faults, restored
from nucleate.exports.schemas.schema_values import Described, Unrepresentable

__all__ = [
    "DEFINE",
    "IDENTIFIER",
    "SLUG",
    "TOOL",
    "Definition",
    "Described",
    "Unrepresentable",
    "anthropic_tool",
    "faults",
    "gemini_tool",
    "mapped",
    "openai_tool",
    "restored",
]
