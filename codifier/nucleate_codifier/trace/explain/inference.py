"""Anti-unification of one argument: from its values in every run to the expression that gives them all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nucleate_codifier.discrimination import ValueUse, enough
from nucleate_codifier.discrimination import informative as informative_groups
from nucleate_codifier.entities import declared
from nucleate_codifier.trace.align.mentions import identifying, informative, leaves, telling
from nucleate_codifier.trace.annotations import annotation, description, property_schema, quoted
from nucleate_codifier.trace.evaluation import RunScope, fingerprint, follow
from nucleate_codifier.trace.explain.chosen import chosen, chosen_each
from nucleate_codifier.trace.explain.criteria import criteria
from nucleate_codifier.trace.explain.origins import check_known_before
from nucleate_codifier.trace.explain.parameters import ArgumentPlace, Knowledge
from nucleate_codifier.trace.explain.repeating import spread, summed
from nucleate_codifier.trace.explain.sources import common_sources, only_choice, positional
from nucleate_codifier.trace.explain.wording import reworded
from nucleate_codifier.trace.expressions import (
    Const,
    Expr,
    Items,
    Known,
    Mapped,
    Param,
    Record,
    Text,
    Total,
    Turned,
    Var,
    parts,
)
from nucleate_codifier.trace.names import SPELLED_OUT, identifier, noun, plural, singular
from nucleate_codifier.trace.refusals import only_one, several_rules
from nucleate_sandbox import Effect, FunctionSpec, Json
from nucleate_text_memory.origins import mark


@dataclass(kw_only=True)
class Inference(Knowledge):
    """Reads columns of values, one value per run, in the order of the calls."""

    def infer(self, place: ArgumentPlace, column: Sequence[Json]) -> Expr:
        """Return the expression that gives the column: one value per run.

        In this order: a value known from an earlier argument; an equal value that an earlier result holds under the
        argument's own name; a constant; a value in an earlier result; an object or list put together from these; a
        parameter.
        """
        expr: Expr | None = (
            self._known(place, column) or self._named_alike(place, column) or self._constant(place, column)
        )
        expr = expr or self._source(place, column) or self._each(place, column) or self._total(column)
        expr = expr or self._reworded(place, column)
        return expr or self._structure(place, column) or self.parameter(place, column)

    def parameter(self, place: ArgumentPlace, column: Sequence[Json]) -> Param:
        """Make a parameter of the tool, named after the argument."""
        check_known_before(place.spec.name, place.argument, column, self.runs)
        kind = annotation(place.schema)
        if kind in {"str", "Any"} and self.entities.repeats(place.spec.name, place.argument):
            accepted = sorted(str(value) for value in self.entities.accepted(place.spec.name, place.argument))
            kind = f"Literal[{', '.join(map(quoted, accepted))}]"
        return self.declare(place, column, kind)

    def optional_parameter(self, place: ArgumentPlace, column: Sequence[Json], present: Sequence[bool]) -> Param:
        """Make a parameter for an argument that some runs leave out: None in those."""
        given = [value for value, here in zip(column, present, strict=True) if here]
        check_known_before(
            place.spec.name, place.argument, given, [r for r, p in zip(self.runs, present, strict=True) if p]
        )
        return self.declare(place, column, annotation(place.schema), optional_=True)

    def list_parameter(self, place: ArgumentPlace, columns: Sequence[list[Json]]) -> Param:
        """Make a parameter that holds the values of a repeated call."""
        check_known_before(place.spec.name, place.argument, columns, self.runs)
        whole = ArgumentPlace(
            spec=place.spec, argument=plural(place.argument), schema={"type": "array", "items": place.schema}
        )
        return self.declare(whole, list(columns), annotation(whole.schema), words=_one_per_call(place))

    def records_parameter(self, spec: FunctionSpec, fields: Sequence[str], columns: Sequence[list[Json]]) -> Param:
        """Make a parameter that holds an object for each repeated call, with the arguments that differ."""
        called = spec.name.rpartition(".")[2]
        about = plural(noun(spec.name).rpartition("_")[2]) if spec.effect is Effect.READ else ""
        whole = ArgumentPlace(spec=spec, argument=about or "calls", schema={})
        listed = " and ".join([", ".join(f"`{name}`" for name in fields[:-1]), f"`{fields[-1]}`"])
        param = self.declare(whole, columns, "Any", words=f"an object for each `{called}`, with {listed}")
        told = self.parameters[-1]
        typed = tuple((name, annotation(property_schema(dict(spec.parameters), name))) for name in fields)
        if all(name == identifier(name) or name in SPELLED_OUT for name in fields):
            kind = f"list[{singular(told.name).title().replace('_', '')}]"
            self.parameters[-1] = replace(told, annotation=kind, fields=typed)
        return param

    def _named_alike(self, place: ArgumentPlace, column: Sequence[Json]) -> Var | None:
        """Return a result that is the same in every run, yet plainly handed on: `order["order_id"]` for `order_id`."""
        if len({fingerprint(value) for value in column}) > 1 or not identifying(column[0]):
            return None
        sources = [var for var in common_sources(column, self.runs, self.facts) if not positional(var)]
        named = [var for var in sources if _last_key(var) == place.argument]
        spoken = sources if isinstance(column[0], str) and any(mark.isdigit() for mark in column[0]) else []
        return next(iter([*named, *spoken]), None)

    def _constant(self, place: ArgumentPlace, column: Sequence[Json]) -> Const | None:
        """Return the one value that there is: no entity, not said, and in a write never another in the scope."""
        if any(fingerprint(value) != fingerprint(column[0]) for value in column):
            return None
        if self._implied(place, column[0]):
            return Const(value=column[0])
        if any(run.query.means(leaf, place.argument) for leaf in leaves(column[0]) for run in self.runs):
            return None
        if any(self.entities.is_entity(leaf) for leaf in leaves(column[0])):
            return None
        return Const(value=column[0]) if self._has_no_other(place, column[0]) else None

    def _implied(self, place: ArgumentPlace, value: Json) -> bool:
        """Return whether the words of every task imply one of few values: all speak of refunds."""
        few = value in declared(place.spec, place.argument) or self.entities.repeats(place.spec.name, place.argument)
        return few and isinstance(value, str) and all(run.query.implies(value) for run in self.runs)

    def _has_no_other(self, place: ArgumentPlace, value: Json) -> bool:
        if place.spec.effect is Effect.READ:
            return True
        others = (*self.entities.accepted(place.spec.name, place.argument), *declared(place.spec, place.argument))
        return all(fingerprint(other) == fingerprint(value) for other in others) and not _moment_or_amount(value)

    def _known(self, place: ArgumentPlace, column: Sequence[Json]) -> Known | None:
        for known in self.equal(column):
            named_alike = isinstance(known, Param) and known.name == identifier(place.argument)
            if telling(column) or (named_alike and all(informative(value) for value in column)):
                return known
        return None

    def _source(self, place: ArgumentPlace, column: Sequence[Json]) -> Var | None:
        if not telling(column):
            return None
        stated = all(
            any(leaf in run.query for leaf in leaves(value)) for value, run in zip(column, self.runs, strict=True)
        )
        sources = common_sources(column, self.runs, self.facts)
        source = next(
            (var for var in sources if not (stated and positional(var)) and self._tells(place, var, column)), None
        )
        if source is None or positional(source):
            source = chosen(self, place, column) or source or self._criterion(place, column)
        if source is not None and all(only_choice(source, run.scope) for run in self.runs):
            raise only_one(place.spec.name, place.argument, [run.task_id for run in self.runs])
        return source

    def _tells(self, place: ArgumentPlace, var: Var, column: Sequence[Json]) -> bool:
        """Return whether a value is picked by more than chance from what else of its kind was there."""
        others = [self.entities.alike(place.spec.name, place.argument, run.answers) for run in self.runs]
        uses = [
            ValueUse(run.group_number, 1 / len(kind | {mark(value)}) if isinstance(value, str | int) else 1.0)
            for run, kind, value in zip(self.runs, others, column, strict=True)
        ]
        if positional(var):
            sizes = [_length(var, run.scope) for run in self.runs]
            uses = [ValueUse(run.group_number, 1 / size) for run, size in zip(self.runs, sizes, strict=True)]
            if not informative_groups(uses):
                return True  # the only element of its list in every run: see only_choice
            return enough(uses, max(self.effect, Effect.WRITE, key=list(Effect).index))  # a place says little of why
        return not informative_groups(uses) or _by_parameter(var) or enough(uses, self.effect)

    def _criterion(self, place: ArgumentPlace, column: Sequence[Json]) -> Var | None:
        if any(value in run.before for value, run in zip(column, self.runs, strict=True)):
            return None
        rules = criteria(column, self.runs, self.effect)
        if len(rules) > 1:
            raise several_rules(place.spec.name, place.argument, rules)
        return rules[0] if rules else None

    def _each(self, place: ArgumentPlace, column: Sequence[Json]) -> Mapped | Var | None:
        lists = [value for value in column if isinstance(value, list)]
        if len(lists) < len(column) or not all(lists):
            return None
        stated = all(leaf in run.before for value, run in zip(column, self.runs, strict=True) for leaf in leaves(value))
        return (None if stated else spread(self, place, lists)) or chosen_each(self, place.item(), lists)

    def _total(self, column: Sequence[Json]) -> Total | None:
        known = all(value in run.before for value, run in zip(column, self.runs, strict=True))
        return None if known else summed(column, self.runs)

    def _reworded(self, place: ArgumentPlace, column: Sequence[Json]) -> Text | Turned | None:
        if all(leaf in run.before for value, run in zip(column, self.runs, strict=True) for leaf in leaves(value)):
            return None
        return reworded(self, place, column)

    def _structure(self, place: ArgumentPlace, column: Sequence[Json]) -> Expr | None:
        mark = len(self.parameters), len(self.facts)
        expr = self._record(place, column) or self._items(place, column)
        if expr is None or _worth(expr):
            return expr
        del self.parameters[mark[0] :], self.facts[mark[1] :]
        return None

    def _record(self, place: ArgumentPlace, column: Sequence[Json]) -> Record | None:
        objects = [value for value in column if isinstance(value, dict)]
        if len(objects) < len(column) or len({frozenset(value) for value in objects}) > 1 or not objects[0]:
            return None
        return Record(
            fields=tuple((key, self._part(place.field(key), [value[key] for value in objects])) for key in objects[0])
        )

    def _items(self, place: ArgumentPlace, column: Sequence[Json]) -> Items | None:
        lists = [value for value in column if isinstance(value, list)]
        if len(lists) < len(column) or len({len(value) for value in lists}) > 1 or not lists[0]:
            return None
        return Items(items=tuple(self._part(place.item(), [value[i] for value in lists]) for i in range(len(lists[0]))))

    def _part(self, place: ArgumentPlace, column: Sequence[Json]) -> Expr:
        expr = self.infer(place, column)
        self.learn(expr, column)
        return expr


def _worth(expr: Record | Items) -> bool:
    scalars = [part for part in parts(expr) if isinstance(part, Const | Param | Var)]
    if isinstance(expr, Items):
        return not any(isinstance(part, Param) for part in scalars)
    return any(not isinstance(part, Param) for part in scalars)


def _moment_or_amount(value: Json) -> bool:
    """Return whether a value is a date, a time or an amount: what one task meant, whoever else agreed."""
    if isinstance(value, str):
        return bool(re.match(r"\d{4}-\d\d-\d\d|\d{1,2}:\d\d", value))
    return isinstance(value, float) and not value.is_integer() and abs(value) >= 10


def _by_parameter(var: Var) -> bool:
    return any(isinstance(part, Param) for part in parts(var))


def _length(var: Var, scope: RunScope) -> int:
    stop = next(index for index, element in enumerate(var.path) if isinstance(element, int))
    found = follow(scope.results[var.step], var.path[:stop], scope)
    return len(found) if isinstance(found, list) else 1


def _last_key(var: Var) -> str:
    return next((element for element in reversed(var.path) if isinstance(element, str)), "")


def _one_per_call(place: ArgumentPlace) -> str:
    told = description(place.schema) or f"the {identifier(place.argument).replace('_', ' ')}"
    return f"{told}, one per call of `{place.spec.name.rpartition('.')[2]}`"
