"""A space of settings: parameters with finitely many values, and points as tuples of indices.

Every parameter has one *dimension*, except a subset, which has one dimension of two values per item. A point holds one
index per dimension. A dimension whose parameter is conditional on another parameter's value holds ``INACTIVE`` where
the condition does not hold, so that two points never stand for the same settings: that is the normal form.

In a TOML file::

    [parameters]
    policy = ["random", "tabu-colour"]                                       # categories
    population = { values = [10, 30, 100] }
    rollout-depth = { from = 0, to = 20, step = 5 }                          # whole numbers
    exploration = { from = 0.1, to = 10.0, steps = 5, scale = "log" }        # real numbers on a grid
    candidates = { subset = ["attack", "run-away", "random"], form = "portfolio({})" }
    tabu = { values = [1, 2], when = { policy = "tabu-colour" } }            # only with that policy
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from math import comb, isfinite, prod
from random import Random
from typing import Any

from turnwise.core.errors import OptionError, brief, shown, unknown_name

Point = tuple[int, ...]
"""One index per dimension; ``INACTIVE`` where the dimension's condition does not hold."""

Value = bool | int | float | str
INACTIVE = -1
MOST_DIMENSIONS, MOST_VALUES = 64, 1000


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter with a list of values.

    Attributes:
        name: Its name, with underscores as in Python.
        values: What it can be; at least one value, none twice.
        is_ordered: Whether neighbouring values are similar (numbers), which some algorithms use.
        when: Name of an earlier parameter -> the values of it with which this parameter has an effect.
    """

    name: str
    values: tuple[Value, ...]
    is_ordered: bool = False
    when: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of values in each of its dimensions."""
        return (len(self.values),)

    def value(self, indices: Sequence[int]) -> Any:
        """The value for the indices of its dimensions."""
        return self.values[indices[0]]


@dataclass(frozen=True, slots=True)
class Subset:
    """A parameter whose value is a subset of items: a bit mask, with one dimension per item.

    Attributes:
        name: Its name, with underscores as in Python.
        items: The items; at least two.
        form: The value as text, in which ``{}`` stands for the chosen items, joined by commas; empty: the value is the
            list of the chosen items.
        least: Fewest items of a subset: 0 or 1.
        when: See :class:`Parameter`.
    """

    name: str
    items: tuple[str, ...]
    form: str = ""
    least: int = 1
    when: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of values in each of its dimensions: 2 for each item."""
        return (2,) * len(self.items)

    def value(self, indices: Sequence[int]) -> Any:
        """The value for the indices of its dimensions."""
        chosen = [item for item, index in zip(self.items, indices, strict=True) if index]
        return self.form.replace("{}", ",".join(chosen)) if self.form else chosen


@dataclass(frozen=True, slots=True)
class Dimension:
    """One coordinate of points.

    Attributes:
        name: The parameter's name; of a subset, followed by the item.
        size: Number of values.
        is_ordered: See :class:`Parameter`.
        conditions: (earlier dimension, its indices with which this dimension is active); all must hold.
    """

    name: str
    size: int
    is_ordered: bool
    conditions: tuple[tuple[int, frozenset[int]], ...] = ()

    def is_active(self, point: Sequence[int] | Mapping[int, int]) -> bool:
        """Whether the conditions hold in a point whose earlier coordinates are in normal form."""
        return all(point[place] in allowed for place, allowed in self.conditions)


class Space:
    """A space of settings.

    Args:
        parameters: The parameters; a condition names an earlier parameter.

    Raises:
        OptionError: A parameter or condition is invalid, or there are fewer than two points.
    """

    def __init__(self, parameters: Sequence[Parameter | Subset]) -> None:
        self.parameters = tuple(parameters) if isinstance(parameters, list | tuple) else (parameters,)
        self._places: dict[str, range] = {}
        dimensions: list[Dimension] = []
        for parameter in self.parameters:
            _check(parameter)
            if parameter.name in self._places:
                raise OptionError(f"parameters: {parameter.name!r} is given twice; give each parameter once.")
            conditions = self._conditions(parameter)
            begin = len(dimensions)
            for place, size in enumerate(parameter.sizes):
                name = parameter.name
                if isinstance(parameter, Subset):
                    name += f": {parameter.items[place]}"
                dimensions.append(Dimension(name, size, getattr(parameter, "is_ordered", False), conditions))
            self._places[parameter.name] = range(begin, len(dimensions))
        self.dimensions = tuple(dimensions)
        if len(dimensions) > MOST_DIMENSIONS:
            raise OptionError(
                f"parameters: expected at most {MOST_DIMENSIONS} dimensions (a subset has one per item), got "
                f"{len(dimensions)}. Tune fewer parameters at once."
            )
        self._subsets = tuple(
            (self._places[p.name], p.least) for p in self.parameters if isinstance(p, Subset) and p.least
        )
        if prod(max(1, dimension.size) for dimension in dimensions) < 2:
            raise OptionError("parameters: expected at least two points; give a parameter more than one value.")

    def _conditions(self, parameter: Parameter | Subset) -> tuple[tuple[int, frozenset[int]], ...]:
        """The conditions of a parameter as dimensions and indices.

        Raises:
            OptionError: A condition names a later parameter, a subset, or a value that the other does not have.
            UnknownNameError: A condition names no parameter.
        """
        found = []
        for other, values in parameter.when.items():
            known = {p.name: p for p in self.parameters}
            if other not in known:
                raise unknown_name("parameter", other, known, f"parameters: the condition of {parameter.name!r}")
            owner = known[other]
            if other not in self._places or isinstance(owner, Subset):
                raise OptionError(
                    f"parameters: {parameter.name!r} depends on {other!r}; expected a parameter that stands above it "
                    "and is not a subset. Change their order."
                )
            missing = [value for value in values if value not in owner.values]
            if missing or not values:
                raise OptionError(
                    f"parameters: {parameter.name!r} depends on {other} = {brief(missing[0] if missing else values)}; "
                    f"expected some of its values {brief(list(owner.values))}."
                )
            found.append((self._places[other][0], frozenset(owner.values.index(value) for value in values)))
        return tuple(found)

    @cached_property
    def size(self) -> int:
        """Number of points in normal form."""
        parents = {place for dimension in self.dimensions for place, _ in dimension.conditions}

        def count(linked: Sequence[Parameter | Subset], point: dict[int, int]) -> int:
            if not linked:
                return 1
            parameter, later = linked[0], linked[1:]
            place = self._places[parameter.name][0]
            if not self.dimensions[place].is_active(point):
                return count(later, point | {place: INACTIVE})
            if isinstance(parameter, Subset):
                items = len(parameter.items)
                return sum(comb(items, chosen) for chosen in range(parameter.least, items + 1)) * count(later, point)
            if place not in parents:
                return len(parameter.values) * count(later, point)
            return sum(count(later, point | {place: index}) for index in range(len(parameter.values)))

        return prod(count(linked, {}) for linked in self._linked())

    def _linked(self) -> list[list[Parameter | Subset]]:
        """Groups of parameters linked by conditions: the values of one group do not depend on another."""
        groups: list[list[Parameter | Subset]] = []
        for parameter in self.parameters:
            linked = [group for group in groups if any(other.name in parameter.when for other in group)]
            groups = [group for group in groups if group not in linked]
            groups.append([*chain.from_iterable(linked), parameter])
        return groups

    def points(self) -> Iterator[Point]:
        """All points in normal form."""

        def extended(point: list[int]) -> Iterator[Point]:
            if len(point) == len(self.dimensions):
                if self._lacks_items(point) is None:
                    yield tuple(point)
                return
            dimension = self.dimensions[len(point)]
            for index in range(dimension.size) if dimension.is_active(point) else (INACTIVE,):
                yield from extended([*point, index])

        return extended([])

    def normal(self, raw: Sequence[int]) -> Point:
        """A point with ``INACTIVE`` in the dimensions whose condition does not hold.

        Args:
            raw: An index per dimension; those of inactive dimensions do not matter.
        """
        point: list[int] = []
        for dimension, index in zip(self.dimensions, raw, strict=True):
            point.append(index if dimension.is_active(point) else INACTIVE)
        return tuple(point)

    def settings(self, point: Point) -> dict[str, Any]:
        """Parameter -> value, without the inactive ones."""
        found = {}
        for parameter in self.parameters:
            indices = [point[place] for place in self._places[parameter.name]]
            if indices[0] != INACTIVE:
                found[parameter.name] = parameter.value(indices)
        return found

    def label(self, place: int, index: int) -> str:
        """The value of a dimension as text."""
        if index == INACTIVE:
            return "inactive"
        parameter = next(p for p in self.parameters if place in self._places[p.name])
        if isinstance(parameter, Subset):
            return "yes" if index else "no"
        value = parameter.values[index]
        if isinstance(value, bool):
            return str(value).lower()
        return f"{value:.4g}" if isinstance(value, float) else str(value)

    def active(self, point: Point) -> list[int]:
        """The dimensions of a point that are active and have more than one value."""
        return [place for place, index in enumerate(point) if index != INACTIVE and self.dimensions[place].size > 1]

    def check(self, point: Sequence[int]) -> Point:
        """A stored point, checked.

        Raises:
            ValueError: It is no point of this space in normal form.
        """
        within = len(point) == len(self.dimensions) and all(
            isinstance(index, int) and INACTIVE <= index < dimension.size
            for index, dimension in zip(point, self.dimensions, strict=True)
        )
        if not within or self.normal(point) != tuple(point) or self._lacks_items(list(point)) is not None:
            raise ValueError(f"{brief(list(point))} is no point of this space")
        return tuple(point)

    def sample(self, rng: Random) -> Point:
        """A random point; every coordinate is uniform among its values."""
        point: list[int] = []
        for dimension in self.dimensions:
            point.append(below(rng, dimension.size) if dimension.is_active(point) else INACTIVE)
        return self.with_items(point, rng)

    def mutant(self, point: Point, rng: Random, changes: float) -> Point:
        """A different point: one random dimension changes, each other one with probability ``changes`` / d.

        A dimension that changes takes a different value. A dimension that becomes active takes a random one.

        Args:
            point: A point in normal form.
            rng: The generator.
            changes: The expected number of further changes, if the point has d active dimensions.
        """
        active = self.active(point)
        forced = active[below(rng, len(active))]
        found: list[int] = []
        for place, dimension in enumerate(self.dimensions):
            old = point[place]
            if not dimension.is_active(found):
                found.append(INACTIVE)
            elif old == INACTIVE:
                found.append(below(rng, dimension.size))
            elif place == forced or (dimension.size > 1 and rng.random() * len(active) < changes):
                other = below(rng, dimension.size - 1)
                found.append(other + (other >= old))
            else:
                found.append(old)
        return self.with_items(found, rng, forced)

    def redrawn(self, point: Point, rng: Random, probability: float) -> Point:
        """A point of which one random dimension, and each other one with a probability, is drawn again.

        It may be the same point. A dimension that becomes active takes a random value.
        """
        forced = below(rng, len(point))
        found: list[int] = []
        for place, dimension in enumerate(self.dimensions):
            if not dimension.is_active(found):
                found.append(INACTIVE)
            elif place == forced or point[place] == INACTIVE or rng.random() < probability:
                found.append(below(rng, dimension.size))
            else:
                found.append(point[place])
        return self.with_items(found, rng)

    def _lacks_items(self, point: list[int]) -> range | None:
        """The dimensions of a subset that has no item and needs one."""
        for places, _ in self._subsets:
            if all(point[place] == 0 for place in places):
                return places
        return None

    def with_items(self, point: list[int], rng: Random, forced: int = -1) -> Point:
        """Give every empty subset that needs an item a random one, other than the one just removed."""
        while (places := self._lacks_items(point)) is not None:
            free = [place for place in places if place != forced]
            point[free[below(rng, len(free))]] = 1
        return tuple(point)

    def as_data(self) -> list[dict[str, Any]]:
        """The space as JSON data, for the identity of stored results."""
        return [
            {
                "name": p.name,
                **({"subset": p.items, "form": p.form, "least": p.least} if isinstance(p, Subset) else {}),
                **({"values": list(p.values), "ordered": p.is_ordered} if isinstance(p, Parameter) else {}),
                "when": {name: list(values) for name, values in p.when.items()},
            }
            for p in self.parameters
        ]


def below(rng: Random, n: int) -> int:
    """A random number in 0..n-1, the same in every version of Python."""
    return int(rng.random() * n)


def _check(parameter: object) -> None:
    """Check a parameter without what its conditions say of others.

    Raises:
        OptionError: It is none, has no name, no values, too many, one of them twice, or one of another type; or a
            subset has fewer than two items.
    """
    if not isinstance(parameter, Parameter | Subset):
        raise OptionError(
            "A space is made of a list of Parameter and Subset, as in Space([Parameter('x', (1, 2, 5))]); got "
            f"{shown(parameter)} in it. A table, as in {{'x': [1, 2, 5]}}, is for make_tuning."
        )
    if not isinstance(parameter.name, str) or not parameter.name:
        raise OptionError(f"The name of a tuned parameter must be a text such as 'x'; got {shown(parameter.name)}.")
    what = f"parameters: {parameter.name}"
    if not isinstance(parameter.when, Mapping) or not all(isinstance(v, list | tuple) for v in parameter.when.values()):
        raise OptionError(
            f"{what}: expected when = {{other parameter: (its values, ...)}}, as in {{'policy': ('uniform',)}}; got "
            f"{shown(parameter.when)}."
        )
    if isinstance(parameter, Subset):
        _check_subset(parameter, what)
    else:
        _check_values(parameter.values, what)


def _check_values(values: object, what: str) -> None:
    if not isinstance(values, list | tuple | range) or not all(isinstance(value, Hashable) for value in values):
        raise OptionError(f"{what}: expected a list of texts, numbers, true and false; got {shown(values)}.")
    kinds = [(type(value), value) for value in values]
    if not 1 <= len(kinds) <= MOST_VALUES or len(set(kinds)) != len(kinds):
        raise OptionError(
            f"{what}: expected 1 to {MOST_VALUES} different values, got {brief(list(values))}. Correct the list."
        )
    for value in values:
        if isinstance(value, float) and not isfinite(value):
            raise OptionError(f"{what}: expected finite numbers, got {value}.")


def _check_subset(parameter: Subset, what: str) -> None:
    items, form = parameter.items, parameter.form
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise OptionError(f"{what}: expected a list of texts as the items of a subset; got {shown(items)}.")
    if len(set(items)) != len(items) or len(items) < 2:
        raise OptionError(f"{what}: expected two or more different items, got {brief(list(items))}.")
    if not isinstance(form, str) or (form and "{}" not in form):
        raise OptionError(
            f"{what}: expected form = a text with {{}} in the place of the items, such as 'portfolio({{}})'; got "
            f"{shown(form)}."
        )
    if parameter.least not in (0, 1):
        raise OptionError(f"{what}: expected least = 0 or 1, got {parameter.least}.")
