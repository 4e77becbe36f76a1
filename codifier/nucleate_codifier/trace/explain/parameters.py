"""The parameters of the tool as they are made, named after the arguments that need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nucleate_codifier.entities import Entities
from nucleate_codifier.trace.align.runs import SupportingRun
from nucleate_codifier.trace.annotations import annotation_of, description, optional, property_schema
from nucleate_codifier.trace.evaluation import fingerprint
from nucleate_codifier.trace.explain.sources import KnownValue
from nucleate_codifier.trace.expressions import Known, Param, Var
from nucleate_codifier.trace.names import free, identifier, noun, singular, verb
from nucleate_sandbox import Effect, FunctionSpec, Json


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A parameter of the tool as it will be written: name, annotation, words for the docstring.

    `fields` are name and annotation of what an element of a list of objects holds: the class that it is annotated with.
    """

    name: str
    annotation: str
    description: str
    function: str
    optional: bool = False
    fields: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class ArgumentPlace:
    """An argument position: the function, the argument's name, and its schema."""

    spec: FunctionSpec
    argument: str
    schema: dict[str, Any]

    @classmethod
    def of(cls, spec: FunctionSpec, argument: str) -> ArgumentPlace:
        """Look the argument's schema up in the function's."""
        return cls(spec=spec, argument=argument, schema=property_schema(dict(spec.parameters), argument))

    def field(self, name: str) -> ArgumentPlace:
        """Return the place of a field of this object."""
        return ArgumentPlace(spec=self.spec, argument=name, schema=property_schema(self.schema, name))

    def item(self) -> ArgumentPlace:
        """Return the place of an element of this list."""
        items = self.schema.get("items")
        return ArgumentPlace(
            spec=self.spec, argument=singular(self.argument), schema=items if isinstance(items, dict) else {}
        )


@dataclass(kw_only=True)
class Knowledge:
    """What is known while the calls are read in order: the runs, the facts so far, the parameters made.

    `effect` is the strongest of the plan's functions, `entities` what the runs of the scope show of values.
    """

    runs: Sequence[SupportingRun]
    effect: Effect = Effect.READ
    entities: Entities = field(default_factory=Entities)
    facts: list[KnownValue] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)

    def learn(self, expr: object, column: Sequence[Json]) -> None:
        """Remember what the runs had for the expression, so that later arguments can refer to it."""
        if isinstance(expr, Param | Var) and not (isinstance(expr, Param) and expr.optional):
            self.facts.append(KnownValue(expr=expr, column=tuple(column)))
        if isinstance(expr, Param):
            for run, value in zip(self.runs, column, strict=True):
                run.scope.parameters[expr.name] = value

    def equal(self, column: Sequence[Json]) -> list[Known]:
        """Return what is known to have been the same in every run."""
        prints = [fingerprint(value) for value in column]
        return [fact.expr for fact in self.facts if [fingerprint(value) for value in fact.column] == prints]

    def declare(
        self, place: ArgumentPlace, column: Sequence[Json], kind: str, *, optional_: bool = False, words: str = ""
    ) -> Param:
        """Add a parameter under a name that is free; `words` stand in the docstring in place of the schema's."""
        base = identifier(place.argument)
        earlier = {parameter.name: parameter for parameter in self.parameters}
        name = free(base, earlier, *_told_apart(base, place.spec.name, earlier.get(base)))
        words = words or description(place.schema)
        if base in earlier:
            words = f"{words or base.replace('_', ' ')}, {_whose(place, earlier[base], name)}"
        kind = annotation_of(column) if kind == "Any" else kind
        self.parameters.append(
            Parameter(
                name=name,
                annotation=optional(kind) if optional_ else kind,
                description=words,
                function=place.spec.name,
                optional=optional_,
            )
        )
        return Param(name=name, optional=optional_)


def _whose(place: ArgumentPlace, other: Parameter, name: str) -> str:
    function = place.spec.name.rpartition(".")[2]
    return (
        f"for `{function}`"
        if other.function != place.spec.name
        else f"for call {name.rpartition('_')[2]} of `{function}`"
    )


def _told_apart(base: str, function: str, other: Parameter | None) -> list[str]:
    if other is None or other.function == function:
        return []
    own = f"{verb(function)}_{base}" if verb(function) != verb(other.function) else ""
    about = noun(function).rpartition("_")[2]
    return [own, f"{about}_{base}" if about and not base.startswith(about) else ""]
