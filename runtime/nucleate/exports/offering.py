"""Tools in the form that an agent takes: definitions for a provider, or objects of a framework."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

from nucleate.errors import InputInvalid
from nucleate.exports.provider_tools import ProviderTools, unique
from nucleate.exports.schemas import IDENTIFIER, Unrepresentable, mapped
from nucleate.tools import CallableTool

Provider = Literal["openai", "openai_responses", "anthropic", "gemini"]
Framework = Literal["langchain", "smolagents", "pydantic_ai"]
PACKAGES: Mapping[str, str] = {
    "langchain": "langchain-core",
    "smolagents": "smolagents",
    "pydantic_ai": "pydantic-ai-slim>=2",
}


class FrameworkTools(list[Any]):
    """Objects of one framework, in the order of their names; `left_out` says which tools have none and why."""

    def __init__(self, tools: Iterable[CallableTool], *, framework: str) -> None:
        super().__init__()
        self.left_out: dict[str, str] = {}
        make = _maker(framework)
        known = unique(tools, self.left_out)
        names = mapped(known, IDENTIFIER)
        for name, tool in known.items():
            try:
                self.append(make(tool, names[name]))
            except Unrepresentable as error:
                self.left_out[name] = str(error)


def offered(tools: Iterable[CallableTool], form: str) -> ProviderTools | FrameworkTools:
    """Return the tools in one form; InputInvalid names the forms, or the package that one needs."""
    if form in get_args(Provider):
        return ProviderTools(tools, provider=form)
    if form in PACKAGES:
        return FrameworkTools(tools, framework=form)
    known = ", ".join([*get_args(Provider), *PACKAGES])
    raise InputInvalid(f"the format {form!r} is unknown; there are {known}")


def _maker(framework: str) -> Any:
    try:
        return importlib.import_module(f"nucleate.exports.frameworks.{framework}_tools").framework_tool
    except ImportError as error:
        package = PACKAGES[framework]
        raise InputInvalid(f"the format {framework!r} needs {package} ({error}); `pip install '{package}'`") from error
