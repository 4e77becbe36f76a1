"""The trace codifier: recorded calls become a typed tool by anti-unification, without a language model."""

import typing

from nucleate_sandbox.lazy import lazily as _lazily

if typing.TYPE_CHECKING:
    from nucleate_codifier.trace.align.template import Match, Pattern, Template
    from nucleate_codifier.trace.carry_out.evidence import call_of
    from nucleate_codifier.trace.carry_out.rewriting import ToolCall, rewrite
    from nucleate_codifier.trace.codifying import Codified, Refusal, codify
else:
    _PLACES = {
        "Codified": "codifying",
        "Match": "align.template",
        "Pattern": "align.template",
        "Refusal": "codifying",
        "Template": "align.template",
        "ToolCall": "carry_out.rewriting",
        "call_of": "carry_out.evidence",
        "codify": "codifying",
        "rewrite": "carry_out.rewriting",
    }
    __getattr__ = _lazily(__name__, {name: f"{__name__}.{module}" for name, module in _PLACES.items()})

__all__ = ["Codified", "Match", "Pattern", "Refusal", "Template", "ToolCall", "call_of", "codify", "rewrite"]
