"""The tool's name, from the calls that make it up and where it starts."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from nucleate_codifier.trace.names import noun, plural, words
from nucleate_codifier.trace.template import Pattern, Template
from nucleate_sandbox import Effect, FunctionSpec

LONGEST = 40
SILENT_VERBS = frozenset({"get", "fetch", "read", "load", "retrieve", "show", "display", "view"})


def tool_name(template: Template, functions: Mapping[str, FunctionSpec], taken: Container[str]) -> str:
    """Return a name that says what the tool does in the end and what it starts from, and that nobody has."""
    subject, start = _subject(template, functions), _start(template.patterns)
    bare = {function.rpartition(".")[2] for function in functions}
    endings = [start, *_middles(template.patterns), ""] if start else ["", *_middles(template.patterns)]
    for ending in endings:
        name = _fit(subject, ending)
        if name not in bare and name not in taken:
            return name
    base, number = _fit(subject, endings[0]), 2
    while (name := f"{base[: LONGEST - 3].rstrip('_')}_{number}") in taken or name in bare:
        number += 1
    return name


def _subject(template: Template, functions: Mapping[str, FunctionSpec]) -> str:
    main = [pattern for pattern in template.patterns if functions[pattern.function].effect is not Effect.READ]
    main = main or [template.patterns[step] for _, step in template.returns] or list(template.patterns[-1:])
    spoken = list(dict.fromkeys(_spoken(pattern) for pattern in main))
    joined = "_and_".join(spoken)
    return joined if len(joined) <= LONGEST else "_and_".join(dict.fromkeys((spoken[0], spoken[-1])))


def _spoken(pattern: Pattern) -> str:
    own = words(pattern.function)
    own = own[: own.index("by")] if "by" in own else own
    about = noun(pattern.function)
    if own[0] in SILENT_VERBS and about:
        own = about.split("_")
    return plural("_".join(own)) if pattern.over is not None else "_".join(own)


def _start(patterns: Sequence[Pattern]) -> str:
    first = words(patterns[0].function)
    return "_".join(first[first.index("by") :]) if "by" in first[1:] else ""


def _middles(patterns: Sequence[Pattern]) -> list[str]:
    abouts = list(dict.fromkeys(noun(pattern.function) or "_".join(words(pattern.function)) for pattern in patterns))
    return [f"from_{about}" for about in abouts[:-1]] + [f"with_{about}" for about in abouts]


def _fit(subject: str, ending: str) -> str:
    whole = f"{subject}_{ending}" if ending else subject
    while len(whole) > LONGEST:
        head, _, tail = subject.rpartition("_")
        if not head:
            return whole[:LONGEST].rstrip("_")
        subject = head
        whole = f"{subject}_{ending}" if ending else subject
    return whole
