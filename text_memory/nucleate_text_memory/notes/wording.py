"""Notes in words: within a few tokens, what a caller needs first, nothing that the description says already."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from math import log2

from nucleate_text_memory.entries.orders import order_in
from nucleate_text_memory.notes.argument_values import mask
from nucleate_text_memory.notes.function_notes import FunctionNotes
from nucleate_text_memory.notes.shapes import ANY_KEY, ITEM, MetShape, Path
from nucleate_text_memory.recordings.error_classes import WITHHELD
from nucleate_text_memory.retrieval.words import estimate_tokens

BUDGET = 42
SHAPE = 58
_ENOUGH = 3
_MOSTLY = 0.9
_BITS = 6.0
_COMMON, _RARE = 0.5, 0.1  # shares of the objects that have a key
_CAUSES = 3
_KEYS, _ALIKE = 4, 0.75  # keys of results that are likened, and the share of them that both have
_TYPES = {"int": "int", "float": "float", "bool": "bool"}


def note_text(
    function: str,
    notes: Mapping[str, FunctionNotes],
    *,
    described: str = "",
    reads: bool = False,
    shaped: bool = False,
) -> str:
    """Return what is known of a function in one line; empty where nothing is.

    The shape of its results takes at most SHAPE tokens of it, and the rest at most BUDGET.
    `described` is what its own documentation and schema say, and `shaped` whether that is so of its results. A
    function that only reads needs and changes no state.
    """
    own = notes.get(function)
    if own is None or not own.calls:
        return ""
    said: list[str] = []
    for part in _parts(function, notes, described, reads=reads):
        if estimate_tokens("; ".join([*said, part])) <= BUDGET:
            said.append(part)
    shape = "" if shaped else shown_shape(function, notes).text
    text = "; ".join([*said, *([f"answers {shape}"] if shape else [])])
    return "" if order_in(text) else text


def _parts(function: str, notes: Mapping[str, FunctionNotes], described: str, *, reads: bool) -> Iterator[str]:
    own = notes[function]
    needed = [] if reads else needs(function, notes)
    yield from (f"needs {field} {value}" for field, value in needed)
    for name, values in own.arguments.items():
        missing = [value for value in values.allowed if value.lower() not in described.lower()]
        if missing:
            yield f"{name} is one of {', '.join(repr(value) for value in values.allowed)}"
        elif values.form and not _has_form(described, values.form):
            yield f"{name} like {values.form}"
    for refusal in _refusals(own, described.lower()):
        if not any(value.lower() in refusal.lower() for _, value in needed):  # that is what it needs, said already
            yield refusal
    if not reads:
        yield from _changes(own)


def needs(function: str, notes: Mapping[str, FunctionNotes]) -> list[tuple[str, str]]:
    """Return (field, value) of rows with which alone the function worked, where that is hardly chance.

    Where a share p of all rows has the value, k groups that used no other tell −k·log2 p bits; as many fields as were
    looked at could have come out so, which takes their log2 away. Calls that failed with other values tell enough.
    """
    own = notes[function].states.before
    found: list[tuple[str, str]] = []
    for key, counts in own.items():
        shown_by, _, field = key.partition(" ")
        worked = {value: len(groups) for value, (groups, _) in counts.items() if groups}
        if len(worked) != 1:
            continue
        ((value, groups),) = worked.items()
        failed = {group for other, (_, some) in counts.items() if other != value for group in some}
        bits = -groups * log2(_share(shown_by, field, value, notes)) - log2(len(own))
        if groups >= _ENOUGH and (bits >= _BITS or len(failed) >= _ENOUGH) and (field, value) not in found:
            found.append((field, value))
    return found


def _share(shown_by: str, field: str, value: str, notes: Mapping[str, FunctionNotes]) -> float:
    """Return which part of the rows that were met has a value; 1 where there are too many values to count."""
    shape = notes[shown_by].shape if shown_by in notes else MetShape()
    place = shape.at((field,)) or shape.at((ITEM, field))
    every = place.values if place is not None and place.values else {}
    return max(1, every.get(value, 0)) / max(1, sum(every.values()))


def _refusals(own: FunctionNotes, told: str) -> Iterator[str]:
    """Yield what the function refuses again and again, with the function that then helped."""
    often = sorted(own.refusals, key=lambda cause: (-len(own.refusals[cause][0]), cause))[:_CAUSES]
    for cause in often:
        groups, instead = own.refusals[cause]
        if len(groups) >= _ENOUGH and cause != WITHHELD and cause.lower() not in told:
            other = f" (then {instead[0].rpartition('.')[2]})" if instead else ""
            yield f"may refuse: {cause.rstrip('.')}{other}"


def _changes(own: FunctionNotes) -> Iterator[str]:
    states = own.states
    if states.compared < _ENOUGH:
        return
    fields = {field: sum(counts.values()) for field, counts in states.after.items()}
    ordered = sorted(fields, key=lambda field: -fields[field])
    often = [field for field in ordered if fields[field] >= states.compared / 2]
    words = []
    for field in often[:3]:
        ends = {change.partition(" → ")[2] for change in states.after[field] if change != "*"}
        words.append(f"{field} to {ends.pop()}" if len(ends) == 1 and "*" not in states.after[field] else field)
    if words:
        yield f"changes {', '.join(words)}"


def _has_form(described: str, form: str) -> bool:
    return any(mask(word.strip("'\"`.,;()")) == form for word in re.findall(r"\S+", described))


@dataclass(frozen=True, kw_only=True)
class ShownShape:
    """A shape in words, and the places that the words name; `of` is the function whose results it is likened to."""

    text: str = ""
    paths: tuple[Path, ...] = ()
    of: str = ""


def shown_shape(function: str, notes: Mapping[str, FunctionNotes], budget: int = SHAPE) -> ShownShape:
    """Return the shape of a function's results as far as it fits, or by what it has beside those of another."""
    own = notes[function]
    if own.prose > own.calls * (1 - _MOSTLY):
        return ShownShape()
    other = _likened(function, notes)
    known = {path for path, _ in notes[other].shape.places()} if other else set[Path]()
    head = f"as {other.rpartition('.')[2]}" if other else ""
    ranked = [path for path in _ranked(own) if path not in known]
    chosen, written = _fitting(own, ranked, budget - estimate_tokens(head) - 2)
    if other:
        return ShownShape(text=f"{head}, and {written}" if written else head, paths=tuple(chosen), of=other)
    plain = not own.shape.fields and own.shape.items is None
    return ShownShape(text=written or (_name_of(own, ()).strip("…") if plain else ""), paths=tuple(chosen))


def _fitting(own: FunctionNotes, ranked: list[Path], budget: int) -> tuple[list[Path], str]:
    """Return the places that fit and their text: names as far as they fit, then types as far as these do."""
    chosen: list[Path] = []
    for path in ranked:
        if estimate_tokens(_written(own, [*chosen, path])) <= budget:
            chosen.append(path)
    typed = set[Path]()
    for path in chosen:
        if estimate_tokens(_written(own, chosen, {*typed, path})) <= budget:
            typed.add(path)
    return chosen, _written(own, chosen, typed) if chosen else ""


def _likened(function: str, notes: Mapping[str, FunctionNotes]) -> str:
    """Return the function whose results have the same keys and that changes nothing; "" where this is the one."""
    keys = _keys(notes[function])
    alike = [
        name
        for name, one in notes.items()
        if len(keys) >= _KEYS and len(keys & _keys(one)) >= _ALIKE * len(keys | _keys(one))
        if not one.states.compared and one.calls >= _ENOUGH
    ]
    best = max(alike, key=lambda name: (notes[name].calls, name), default="")
    return "" if best == function else best


def _keys(own: FunctionNotes) -> frozenset[str]:
    return frozenset(key for key, inner in own.shape.fields.items() if inner.met >= own.shape.met / 2)


def _ranked(own: FunctionNotes) -> list[Path]:
    """Return the places that have a name: what later calls used first, then common and outer ones; rare ones left out.

    What is inside a rare object is rare, too.
    """
    share: dict[Path, float] = {(): 1.0}
    for path, shape in own.shape.places():
        has_name = path[-1] not in {ITEM, ANY_KEY}
        share[path] = share[path[:-1]] * (
            min(1.0, shape.met / max(1, _met_above(own.shape, path))) if has_name else 1.0
        )
    named = [(path, shape) for path, shape in own.shape.places() if path[-1] not in {ITEM, ANY_KEY}]
    kept = [(path, shape) for path, shape in named if shape.used or share[path] >= _RARE]
    ordered = sorted(kept, key=lambda one: (-one[1].used, share[one[0]] < _COMMON, _empty(one[1]), len(one[0])))
    return [path for path, _ in ordered]


def _empty(shape: MetShape) -> bool:
    return shape.kinds.get("NoneType", 0) > shape.met / 2


def _met_above(shape: MetShape, path: Path) -> int:
    above = shape.at(path[:-1])
    return above.kinds.get("dict", 0) if above is not None else 0


def _written(own: FunctionNotes, paths: list[Path], typed: Collection[Path] = ()) -> str:
    return _inner(own, own.shape, (), _Shown(set(paths), typed))


@dataclass(frozen=True)
class _Shown:
    """The places that are written, and those whose type is."""

    paths: Collection[Path]
    typed: Collection[Path]

    def below(self, path: Path) -> bool:
        return any(item[: len(path)] == path for item in self.paths)


def _inner(own: FunctionNotes, shape: MetShape, path: Path, shown: _Shown) -> str:
    """Write what stands at a place: `{a b: int c[d e]}`."""
    if shape.items is not None and shown.below((*path, ITEM)):
        return f"[{_inner(own, shape.items, (*path, ITEM), shown)}]"
    if ANY_KEY in shape.fields:
        inner = (*path, ANY_KEY)
        below = _inner(own, shape.fields[ANY_KEY], inner, shown)
        return f"{{{_name_of(own, inner)}{': ' if below else ''}{below}}}"
    keys = [key for key in shape.fields if shown.below((*path, key))]
    if keys:
        return f"{{{' '.join(_field(own, shape.fields[key], (*path, key), shown) for key in keys)}}}"
    if shape.items is not None:
        return f"[{_name_of(own, (*path, ITEM))}]"
    return ""


def _field(own: FunctionNotes, shape: MetShape, path: Path, shown: _Shown) -> str:
    inside = _inner(own, shape, path, shown)
    kinds = shape.kinds.keys() - {"NoneType"}
    kind = _TYPES.get(next(iter(kinds)), "") if len(kinds) == 1 and path in shown.typed else ""
    return f"{path[-1]}{inside}" if inside else f"{path[-1]}: {kind}" if kind else path[-1]


def _name_of(own: FunctionNotes, path: Path) -> str:
    """Return the argument that values from a place are given to: what they are ids of."""
    counts = own.leads_to.get("\t".join(path), {})
    return max(sorted(counts), key=lambda name: counts[name]).partition(" ")[2] if counts else "…"
