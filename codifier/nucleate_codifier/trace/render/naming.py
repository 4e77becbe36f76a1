"""The tool's name: what it does or gives in the end, and by what it finds its way there."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import combinations

from nucleate_codifier.trace.align.template import Pattern, Template
from nucleate_codifier.trace.expressions import Param, Var
from nucleate_codifier.trace.names import SILENT_VERBS, noun, objects, plural, snake, verb, words
from nucleate_sandbox import Effect, FunctionSpec

LONGEST = 40
MOST_TOLD = 6


def tool_name(template: Template, functions: Mapping[str, FunctionSpec], taken: Container[str]) -> str:
    """Return the fullest name that fits, that no function has and that is free; numbered where all are taken.

    Where the name that the calls suggest is taken, what else differs is told before a shorter name is tried.
    """
    bare = {snake(function.rpartition(".")[2]) for function in functions}
    every = [[name for name in names if len(name) <= LONGEST] for names in _candidates(template, functions)]
    fullest = [names[0] for names in every if names]
    for name in [*fullest, *(name for names in every for name in names)]:
        if name not in bare and name not in taken:
            return name
    base, number = fullest[0] if fullest else "plan", 2
    while (name := f"{_cut(base)}_{number}") in taken or name in bare:
        number += 1
    return name


def _candidates(template: Template, functions: Mapping[str, FunctionSpec]) -> Iterator[list[str]]:
    """Yield for each way to say how the calls begin the names that end so, the fullest first."""
    first = template.patterns[0]
    if len(template.patterns) == 1 and isinstance(first.over, Param):
        yield ["_".join([*words(first.function), "for_each"])]
    main = _main(template, functions)
    told = [template.patterns[step] for step in main]
    silent = all(verb(pattern.function) in SILENT_VERBS for pattern in told)
    phrases = list(dict.fromkeys(_phrase(pattern, template, silent=silent) for pattern in told))
    said = {word for phrase in phrases for word in phrase.split("_")}
    for before, after in _beginnings(template, main[0], said):
        yield [f"{before}{name}{after}" for name in _joined(phrases)]


def _joined(phrases: Sequence[str]) -> Iterator[str]:
    """Yield the phrases in one name: all of them, then fewer, always with the first and the last."""
    first, *others = phrases
    for left_out in range(max(0, len(phrases) - MOST_TOLD), max(1, len(others))):
        for fewer in combinations(reversed(others[:-1]), len(others[:-1]) - left_out):
            chosen = [first, *reversed(fewer), *others[-1:]]
            yield _listed(chosen)
            yield _merged([_shortened(phrase) for phrase in chosen])


def _listed(phrases: Sequence[str]) -> str:
    return "_and_".join(filter(None, ["_".join(phrases[:-1]), phrases[-1]]))


def _beginnings(template: Template, first: int, said: set[str]) -> Iterator[tuple[str, str]]:
    """Yield what may stand before and after the name to tell of the calls before the first that it tells of."""
    start = _start(template, first, said)
    reads = [pair for step in reversed(range(first)) for pair in _read_before(template, step, first, said)]
    if start or not first:
        yield "", start
        yield from ((before, f"{after}{start}") for before, after in reads)
    yield from reads
    yield "", ""
    for step in reversed(range(first)):
        yield f"{verb(template.patterns[step].function)}_and_", ""


def _start(template: Template, first: int, said: set[str]) -> str:
    """Return what the first call finds its way by, where the name does not tell of that call."""
    function = template.patterns[0].function
    start = words(function)
    if first and start[0] in SILENT_VERBS and "by" in start[1:]:
        return "_" + "_".join(start[start.index("by") :])
    looked_up = first and _looked_up(template.patterns[0]) and noun(function) not in said
    return f"_for_{noun(function)}" if looked_up else ""


def _read_before(template: Template, step: int, first: int, said: set[str]) -> Iterator[tuple[str, str]]:
    pattern = template.patterns[step]
    about = noun(pattern.function)
    if step == _looped(template, first):
        yield "", ""
    elif about not in said:
        about = about or "_".join(words(pattern.function))
        yield "", f"_with_{plural(about) if pattern.repeated else about}"
        if verb(pattern.function) not in SILENT_VERBS:
            yield f"{verb(pattern.function)}_", ""


def _looked_up(pattern: Pattern) -> bool:
    """Return whether the call fetches one thing by its own id: `get_user_details(user_id=…)`."""
    about = noun(pattern.function)
    return bool(about) and any(name == f"{about}_id" for name, _ in pattern.arguments)


def _main(template: Template, functions: Mapping[str, FunctionSpec]) -> list[int]:
    """Return the steps that the name tells of: from the first write on, or the last reads that are given back."""
    steps = range(len(template.patterns))
    writes = [step for step in steps if functions[template.patterns[step].function].effect != Effect.READ]
    given_back = {step for _, step in template.returns}
    first = writes[0] if writes else 0
    used = {expr.step for expr in template.expressions if isinstance(expr, Var)}
    given_back = given_back if writes else given_back - used or given_back
    return [step for step in steps if step >= first and (step in given_back or step in writes)] or [steps[-1]]


def _phrase(pattern: Pattern, template: Template, *, silent: bool) -> str:
    about = noun(pattern.function)
    if not about:
        return "_".join([*words(pattern.function), *(["each"] if pattern.repeated else [])])
    own = about.split("_") if silent else [verb(pattern.function), *objects(pattern.function)]
    if pattern.repeated:
        own = plural("_".join(own)).split("_")
    return "_".join([*(_owner(pattern, template, own) if silent else []), *own])


def _owner(pattern: Pattern, template: Template, own: Sequence[str]) -> list[str]:
    if not isinstance(pattern.over, Var):
        return []
    owner = noun(template.patterns[pattern.over.step].function).split("_")
    return owner if owner[0] and owner[0] not in own else []


def _shortened(phrase: str) -> str:
    own = phrase.split("_")
    return "_".join(own if len(own) < 3 else [own[0], own[-1]])


def _merged(phrases: Sequence[str]) -> str:
    """Join `modify_address`, `modify_items` to modify_address_and_items, and say a shared noun once."""
    pairs = [phrase.partition("_")[::2] for phrase in phrases]
    if len(pairs) == 1 or not all(tail for _, tail in pairs):
        return _listed(phrases)
    if len({head for head, _ in pairs}) == 1:
        return f"{pairs[0][0]}_{_listed([tail for _, tail in pairs])}"
    if len({tail for _, tail in pairs}) == 1:
        return f"{_listed([head for head, _ in pairs])}_{pairs[0][1]}"
    return _listed(phrases)


def _looped(template: Template, step: int) -> int | None:
    over = template.patterns[step].over
    return over.step if isinstance(over, Var) else None


def _cut(name: str) -> str:
    while len(name) > LONGEST - 3:
        name = name.rpartition("_")[0] or name[: LONGEST - 3]
    return name
