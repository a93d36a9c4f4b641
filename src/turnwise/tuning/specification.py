"""A tuning as data: what is tuned, where, by which algorithm, and what counts.

As a TOML file::

    name = "exploration"
    games = ["hero-academy:map=a-small"]
    planner = "mcts"                    # with the parameters that stay fixed
    opponents = ["greedy-turn", "random"]
    budget = "time=30ms"
    games_per_pair = 2                  # of every evaluation, against each opponent in each scenario
    evaluations = 200
    runs = 4                            # independent runs; a part of the evaluations chooses among their results
    seed = 1

    [parameters]
    exploration = { from = 0.05, to = 2.0, steps = 6, scale = "log" }
    policy = ["uniform", "random-heuristic"]

An evaluation of a point is a small tournament: the planner with these settings meets the opponents, in the seats and
with the scores of a tournament (:mod:`turnwise.arena.tournament`); its seeds follow from the number of the evaluation.
Instead of games, ``fitness = "module:function"`` names a Python function of settings and seed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from math import exp, log
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from turnwise.core.budget import parse_budget
from turnwise.core.errors import OptionError, TurnwiseError, brief, unknown_name
from turnwise.core.specification import make_specification, read_specification
from turnwise.tuning.algorithms import SETTINGS
from turnwise.tuning.ntbea import NtbeaSettings
from turnwise.tuning.optimiser import ModelSettings
from turnwise.tuning.rmhc import RmhcSettings
from turnwise.tuning.space import MOST_VALUES, Parameter, Space, Subset, Value
from turnwise.tuning.swcga import SwcgaSettings
from turnwise.tuning.tpe import TpeSettings

MEASURES = ("auto", "score", "result")
TUNED = "tuned"
"""Name of the tuned player in its games."""

_LARGEST = 1e300  # distances of larger numbers are infinite
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_KINDS = {
    "values": {"values", "when"},
    "from": {"from", "to", "step", "steps", "scale", "when"},
    "subset": {"subset", "form", "least", "when"},
}


class TuningSpec(BaseModel):
    """A tuning.

    Raises:
        OptionError: From :func:`make_tuning` and :func:`read_tuning`: a field is missing, unknown or invalid.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field("tuning", description="name for people")
    parameters: Mapping[str, Any] = Field(description="parameter -> its values")
    fitness: str = Field(
        "auto",
        description="score (points per game), result (the game's own return), auto (score, in single-player games "
        "result), or module:function",
    )
    draw: float = Field(
        0.5,
        ge=0,
        le=1,
        description="what a drawn game of two players counts, where a win counts 1 and a loss 0; a third: as with 3 "
        "points for a win and 1 for a draw",
    )
    games: tuple[str, ...] = Field((), description="scenarios")
    planner: str = Field("", description="the planner, with the parameters that stay fixed")
    opponents: Mapping[str, str] = Field(
        default_factory=dict, description="name -> planner; opponents in a list are named by their texts"
    )
    budget: str = Field("", description="budget of every turn or action, for every player")
    budgets: Mapping[str, str] = Field(
        default_factory=dict, description="name -> budget of an opponent with a different one; the planner is 'tuned'"
    )
    games_per_pair: int = Field(
        2, ge=1, le=10**5, description="games of an evaluation against each opponent in each scenario"
    )
    max_turns: int | None = Field(None, ge=1, description="turns after which a game is drawn by limit")
    forfeit_overrun: float | None = Field(
        None, ge=1, description="multiple of the time budget above which a player forfeits"
    )
    algorithm: Literal["ntbea", "random", "rmhc", "swcga", "grid", "tpe"] = Field(
        "ntbea", description="how points are chosen"
    )
    evaluations: int = Field(ge=1, le=10**6, description="number of evaluations")
    runs: int = Field(1, ge=1, le=1000, description="independent runs")
    selection: float = Field(
        0.2, ge=0, lt=1, description="share of the evaluations for the choice among the runs' recommendations"
    )
    batch: int = Field(1, ge=1, le=1000, description="points that a run proposes at a time")
    seed: int = Field(0, description="seed of everything: any whole number")
    ntbea: NtbeaSettings = Field(NtbeaSettings.model_validate({}), description="settings of NTBEA")
    random: ModelSettings = Field(ModelSettings.model_validate({}), description="settings of random search")
    rmhc: RmhcSettings = Field(RmhcSettings.model_validate({}), description="settings of hill climbing")
    swcga: SwcgaSettings = Field(
        SwcgaSettings.model_validate({}), description="settings of the compact genetic algorithm"
    )
    grid: ModelSettings = Field(ModelSettings.model_validate({}), description="settings of grid search")
    tpe: TpeSettings = Field(TpeSettings.model_validate({}), description="settings of TPE")

    @field_validator("parameters")
    @classmethod
    def _some_parameters(cls, value: Any) -> Any:
        if not value:
            raise ValueError('expected at least one parameter, as in policy = ["uniform", "random-heuristic"]')
        return value

    @field_validator("evaluations", "games_per_pair", "max_turns", "runs", "batch", "seed", mode="before")
    @classmethod
    def _whole_number(cls, value: Any) -> Any:
        if isinstance(value, bool):  # which Python counts as a whole number
            raise ValueError("expected a whole number")
        return value

    @field_validator("games", mode="before")
    @classmethod
    def _one_game(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value

    @field_validator("opponents", mode="before")
    @classmethod
    def _named_by_text(cls, value: Any) -> Any:
        value = [value] if isinstance(value, str) else value
        if not isinstance(value, (list, tuple, Mapping)) or not all(isinstance(text, str) for text in value):
            raise ValueError("expected planners in a list, or as a table name = planner")
        if isinstance(value, (list, tuple)):
            if len(set(value)) != len(value):
                raise ValueError("an opponent is listed twice; give names as in opponents = {one = ..., two = ...}")
            return {text: text for text in value}
        return value

    @model_validator(mode="after")
    def _consistent(self) -> TuningSpec:
        """Check conditions on several fields.

        Raises:
            OptionError: A field is missing or does not belong to the fitness, or a parameter is invalid.
            UnknownNameError: A budget is that of no player.
        """
        self.space  # noqa: B018 - its errors
        of_games = {"games": self.games, "planner": self.planner, "budget": self.budget}
        if self.function:
            others = {"opponents": self.opponents, "draw": self.draw != type(self).model_fields["draw"].default}
            given = [name for name, value in {**of_games, **others}.items() if value]
            if given:
                raise OptionError(
                    f"tuning: fitness = {self.fitness!r} is a function, so there are no games, but {given[0]!r} is "
                    f"given. Remove it, or choose another fitness: {', '.join(MEASURES)}."
                )
            return self
        if self.fitness not in MEASURES:
            raise OptionError(
                f"tuning: fitness = {self.fitness!r}: expected {', '.join(MEASURES)}, or a function as in "
                "'my_module:my_function'."
            )
        missing = [name for name, value in of_games.items() if not value]
        if missing:
            raise OptionError(f"tuning: {missing[0]!r} is missing; give it, or a function as 'fitness'.")
        if len(set(self.games)) != len(self.games):
            raise OptionError("tuning: a scenario is listed twice in 'games'; list each scenario once.")
        for text in (self.budget, *self.budgets.values()):
            parse_budget(text)
        for name in self.budgets:
            if name not in (TUNED, *self.opponents):
                raise unknown_name("player", name, (TUNED, *self.opponents), "This tuning")
        if TUNED in self.opponents:
            raise OptionError(f"tuning: an opponent is called {TUNED!r}, as the planner itself is; rename it.")
        return self

    @property
    def function(self) -> str:
        """The fitness if it is ``module:function``, otherwise empty."""
        return self.fitness if _FUNCTION.fullmatch(self.fitness) else ""

    @cached_property
    def space(self) -> Space:
        """The space of settings.

        Raises:
            OptionError: A parameter is invalid.
        """
        return make_space(self.parameters)

    @property
    def settings(self) -> ModelSettings:
        """Settings of the algorithm."""
        found = getattr(self, self.algorithm)
        assert isinstance(found, SETTINGS[self.algorithm])
        return found


def make_tuning(**fields: Any) -> TuningSpec:
    """Make a tuning from Python; see :class:`TuningSpec`.

    Raises:
        OptionError: A field is missing, unknown or invalid.
    """
    return make_specification(TuningSpec, fields, "tuning")


def read_tuning(path: str | Path) -> TuningSpec:
    """Read a tuning from a TOML file.

    Raises:
        DamagedFileError: The file cannot be read, is too large or is not TOML.
        OptionError: A field is missing, unknown or invalid.
    """
    return read_specification(TuningSpec, path, "a tuning")


def make_space(parameters: Mapping[str, Any]) -> Space:
    """Make a space from a table of parameters.

    Args:
        parameters: Name -> a list of values, or a table as in :mod:`turnwise.tuning.space`.

    Raises:
        OptionError: A parameter is invalid.
        UnknownNameError: A condition names no parameter.
    """
    return Space([_parameter(name.replace("-", "_"), value) for name, value in parameters.items()])


def _parameter(name: str, given: Any) -> Parameter | Subset:
    """Read a parameter.

    Raises:
        OptionError: It is invalid.
    """
    table = {"values": given} if isinstance(given, (list, tuple)) else given
    if isinstance(table, (Parameter, Subset)):
        return table
    kinds = [kind for kind in _KINDS if isinstance(table, Mapping) and kind in table]
    if len(kinds) != 1:
        raise _wrong(name, "a list of values, or a table with 'values', with 'from' and 'to', or with 'subset'", given)
    kind = kinds[0]
    unknown = [key for key in table if key not in _KINDS[kind]]
    if unknown:
        raise _wrong(name, f"a table with {', '.join(sorted(_KINDS[kind]))}", {unknown[0]: table[unknown[0]]})
    when = _conditions(name, table.get("when", {}))
    if kind == "subset":
        return _subset(name, table, when)
    if kind == "from":
        return Parameter(name, _grid(name, table), True, when)
    values = table["values"]
    if not isinstance(values, (list, tuple)) or not all(isinstance(v, (bool, int, float, str)) for v in values):
        raise _wrong(name, "a list of texts, numbers, true and false", values)
    numbers = [value for value in values if _is_number(value)]
    is_ordered = len(numbers) == len(values) and list(numbers) == sorted(numbers)
    return Parameter(name, tuple(values), is_ordered, when)


def _subset(name: str, table: Mapping[str, Any], when: Mapping[str, tuple[Value, ...]]) -> Subset:
    items, form, least = table["subset"], table.get("form", ""), table.get("least", 1)
    if not isinstance(items, (list, tuple)) or not all(isinstance(item, str) for item in items):
        raise _wrong(name, "subset = a list of texts", items)
    if not isinstance(form, str) or (form and "{}" not in form):
        raise _wrong(name, "form = a text with {} in the place of the items, such as 'portfolio({})'", form)
    if isinstance(least, bool) or not isinstance(least, int):
        raise _wrong(name, "least = 0 or 1", least)
    return Subset(name, tuple(items), form, least, when)


def _conditions(name: str, given: Any) -> dict[str, tuple[Value, ...]]:
    if not isinstance(given, Mapping):
        raise _wrong(name, "when = { PARAMETER = VALUE } or { PARAMETER = [VALUE, ...] }", given)
    return {
        other.replace("-", "_"): tuple(value) if isinstance(value, (list, tuple)) else (value,)
        for other, value in given.items()
    }


def _grid(name: str, table: Mapping[str, Any]) -> tuple[Value, ...]:
    """The values of a range: whole numbers with a step, or numbers at equal distances or ratios.

    Raises:
        OptionError: The range is invalid.
    """
    low, high, scale = table["from"], table.get("to", ""), table.get("scale", "linear")
    if not _is_number(low) or not _is_number(high) or low >= high or scale not in ("linear", "log"):
        expected = f"numbers from < to of at most {_LARGEST:g}, and scale = 'linear' or 'log'"
        raise _wrong(name, expected, dict(table))
    if scale == "log" and low <= 0:
        raise _wrong(name, "from > 0 with scale = 'log'", low)
    if "steps" in table:
        return _steps(name, low, high, table["steps"], scale == "log", "step" in table)
    step = table.get("step", 1 if isinstance(low, int) and isinstance(high, int) else "")
    if scale == "log" or not _is_number(step) or step <= 0:
        raise _wrong(name, "a number of 'steps', or on a linear scale a 'step' above 0", dict(table))
    steps = (high - low) / step + 1e-9
    if steps >= MOST_VALUES:
        raise _wrong(name, f"at most {MOST_VALUES} values: a larger step, or a number of 'steps'", dict(table))
    return tuple(low + index * step for index in range(int(steps) + 1))


def _steps(name: str, low: float, high: float, steps: Any, is_log: bool, has_step: bool) -> tuple[Value, ...]:
    if isinstance(steps, bool) or not isinstance(steps, int) or not 2 <= steps <= MOST_VALUES or has_step:
        raise _wrong(name, f"steps = a number from 2 to {MOST_VALUES}, without 'step'", steps)
    shares = [index / (steps - 1) for index in range(steps)]
    if is_log:
        found = [exp(log(low) + share * (log(high) - log(low))) for share in shares]
    else:
        found = [low + share * (high - low) for share in shares]
    found[0], found[-1] = low, high
    if isinstance(low, int) and isinstance(high, int):
        return tuple(dict.fromkeys(round(value) for value in found))
    return tuple(float(f"{value:.6g}") for value in found)


def _is_number(value: Any) -> bool:
    """Whether it is a number with which a grid can be computed."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _wrong(name: str, expected: str, got: Any) -> TurnwiseError:
    return OptionError(f"parameters: {name}: expected {expected}; got {brief(got)}.")
