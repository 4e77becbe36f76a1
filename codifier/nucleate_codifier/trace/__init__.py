"""The trace codifier: recorded calls become a typed tool by anti-unification, without a language model."""

import typing

from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate_codifier.trace.codifying import Codified, Refusal, codify
    from nucleate_codifier.trace.evidence import call_of
    from nucleate_codifier.trace.rewriting import ToolCall, rewrite
    from nucleate_codifier.trace.template import Match, Pattern, Template
else:
    _PLACES = {
        "Codified": "codifying",
        "Match": "template",
        "Pattern": "template",
        "Refusal": "codifying",
        "Template": "template",
        "ToolCall": "rewriting",
        "call_of": "evidence",
        "codify": "codifying",
        "rewrite": "rewriting",
    }
    __getattr__ = _lazily(__name__, {name: f"{__name__}.{module}" for name, module in _PLACES.items()})

__all__ = ["Codified", "Match", "Pattern", "Refusal", "Template", "ToolCall", "call_of", "codify", "rewrite"]
