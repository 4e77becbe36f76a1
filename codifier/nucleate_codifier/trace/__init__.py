"""The trace codifier: recorded calls become a typed tool by anti-unification, without a language model."""

from nucleate_codifier.trace.codify import Codified, Refusal, codify
from nucleate_codifier.trace.evidence import call_of
from nucleate_codifier.trace.rewriting import ToolCall, rewrite
from nucleate_codifier.trace.template import Match, Pattern, Template

__all__ = ["Codified", "Match", "Pattern", "Refusal", "Template", "ToolCall", "call_of", "codify", "rewrite"]
