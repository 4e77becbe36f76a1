"""The prompts of a run: Markdown files beside this module, the unchanging part first."""

from __future__ import annotations

from pathlib import Path

from nucleate_codifier.model.prompting import Prompts

PROMPTS = Prompts(Path(__file__).parent / "prompts")
render = PROMPTS.render
