"""What an evaluation consists of: the games of a small tournament, or one call of a Python function.

Both give jobs as text, which any worker can do, and read the workers' answers.
"""

from __future__ import annotations

import importlib
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from turnwise.arena.records import FORFEITS
from turnwise.arena.tournament.job import play_job, refusal
from turnwise.arena.tournament.run import read_answer
from turnwise.arena.tournament.schedule import GameJob, Schedule, import_modules
from turnwise.arena.tournament.specification import make_spec
from turnwise.arena.tournament.workers import Finished
from turnwise.core.arguments import number
from turnwise.core.budget import Budget
from turnwise.core.errors import (
    CapacityError,
    OptionError,
    TurnwiseError,
    UnknownNameError,
    brief,
    counted,
    unknown_name,
)
from turnwise.core.fields import problems
from turnwise.registry import make, planner, split_text
from turnwise.search.planner import Planner
from turnwise.tuning.plan import Trial
from turnwise.tuning.space import Parameter, Subset
from turnwise.tuning.specification import TUNED, TuningSpec

_SOME = 4  # refused values in a message
_HALF = 0.5  # score of a drawn game of two players
_FORFEIT = re.compile(rf", seat \d+.*: ({'|'.join(map(re.escape, FORFEITS))}) ")


@dataclass(frozen=True, slots=True)
class Sample:
    """The result of one job.

    Attributes:
        fitness: The number; None if the game does not count (its workers died).
        detail: One line for people.
        fault: Which player forfeited the game and why; empty: none did. It is not stored; see ``Fitness.forfeit``.
    """

    fitness: float | None
    detail: str = ""
    fault: str = ""


class Fitness(ABC):
    """What an evaluation of a point consists of.

    Attributes:
        work: The function that does a job: text to text.
        is_timed: Whether results depend on wall time.
        thing: Singular of what is counted ("game").
    """

    work: Callable[[str], str]
    is_timed: bool = False
    thing: str = "call"

    @property
    @abstractmethod
    def identity(self) -> dict[str, Any]:
        """Everything that can change a fitness, as JSON data."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of jobs of an evaluation."""

    @abstractmethod
    def jobs(self, trial: Trial, settings: dict[str, Any]) -> list[str]:
        """The jobs of an evaluation.

        Raises:
            OptionError: The settings are refused.
        """

    @abstractmethod
    def sample(self, answer: str, job: str) -> Sample:
        """The result in a worker's answer.

        Raises:
            TurnwiseError: The worker could not do the job.
        """

    def forfeit(self, sample: Sample) -> str:
        """Which game was forfeited, by whom and why, of a new or stored sample; empty: none was."""
        return ""

    def check_names(self) -> None:
        """Check what only games know of the parameters' values, before a results file is made.

        Raises:
            OptionError: The planner refuses a value in a scenario, whatever the other parameters are.
        """

    def warm(self) -> None:
        """Compile what all evaluations need, and check it, before several workers would do so at the same time.

        Raises:
            OptionError: A player cannot play at all.
        """


class GameFitness(Fitness):
    """The tuned planner's games against the opponents.

    Args:
        spec: The tuning.
        imports: Modules that register further games and planners.

    Raises:
        OptionError: A scenario, planner or number of games is invalid.
        UnknownNameError: A game or planner does not exist.
    """

    work = staticmethod(play_job)
    thing = "game"

    def __init__(self, spec: TuningSpec, imports: Sequence[str] = ()) -> None:
        import_modules(imports)
        self._spec, self._imports = spec, tuple(imports)
        self._games = tuple(make(text) for text in spec.games)
        self._opponents = {name: planner(text) for name, text in spec.opponents.items()}
        seats = {game.players for game in self._games}
        if len(seats) > 1:
            raise OptionError("tuning: the scenarios have different numbers of players; tune for one number at a time.")
        (self._seats,) = seats
        if (self._seats == 1 and spec.opponents) or len(spec.opponents) < self._seats - 1:
            wanted = "no opponents" if self._seats == 1 else f"at least {counted(self._seats - 1, 'opponent')}"
            raise OptionError(
                f"tuning: {self._games[0].spec} has {counted(self._seats, 'seat')}; expected {wanted}, got "
                f"{len(spec.opponents)}. Correct 'opponents'."
            )
        if self._seats == 1 and spec.fitness == "score":
            raise OptionError(
                f"tuning: {self._games[0].spec} has one player, so there is no score; expected fitness = 'result'."
            )
        base = planner(spec.planner)
        self._check_names(base)
        self._check_values(base)
        self._by_result = spec.fitness == "result" or self._seats == 1
        if spec.draw != _HALF and (self._by_result or self._seats != 2):
            kind = "the games' results" if self._by_result else f"ranks of {self._seats} players"
            raise OptionError(
                f"tuning: draw = {spec.draw:g} has no meaning here, since the fitness is made of {kind}. Remove it; it "
                "is for scores in games of two players."
            )
        self._base = self._schedule(base, spec.seed)
        self.is_timed = self._base.spec.is_timed

    def _check_names(self, base: Planner) -> None:
        """Check that the tuned parameters are the planner's, and not fixed in its text.

        Raises:
            UnknownNameError: The planner has no such parameter.
            OptionError: A parameter is fixed and tuned.
        """
        known = {*type(base.parameters).model_fields, "preset"}
        fixed = split_text(self._spec.planner)[1]
        for parameter in self._spec.space.parameters:
            if parameter.name not in known:
                raise unknown_name("parameter", parameter.name, known, f"Planner {base.name}")
            if parameter.name in fixed:
                raise OptionError(
                    f"tuning: {parameter.name!r} is both fixed, in planner = {self._spec.planner!r}, and tuned; "
                    "expected one of them. Remove it there or in 'parameters'."
                )

    def _check_values(self, base: Planner) -> None:
        """Check every value of every parameter separately, conditional ones too; combinations are refused one by one.

        Raises:
            OptionError: The planner refuses a value, whatever the other parameters are.
            UnknownNameError: A value of ``preset`` is no preset.
        """
        fixed = split_text(self._spec.planner)[1]
        fixed.pop("preset", None)
        model = type(base.parameters)
        troubles = []
        for parameter in self._spec.space.parameters:
            for value in single_values(parameter):
                if parameter.name == "preset":
                    planner(self._spec.planner, preset=value)
                    continue
                try:
                    model(**{**fixed, parameter.name: value})
                except ValidationError as error:
                    if any(problem["loc"][:1] == (parameter.name,) for problem in error.errors()):
                        troubles += problems(error, model)
        if troubles:
            some = "; ".join(dict.fromkeys(troubles[:_SOME])) + ("; ..." if len(troubles) > _SOME else "")
            raise OptionError(f"parameters: planner {base.name} refuses {some}. Correct these values.")

    def check_names(self) -> None:
        """Let the planner begin a turn in every scenario with every text: it may name what the game does not have."""
        parameters = {parameter.name: parameter for parameter in self._spec.space.parameters}
        for parameter in parameters.values():
            for value in single_values(parameter):
                if all(isinstance(each, str) for each in (value if isinstance(value, list) else [value])):
                    self._check_name({**_met(parameters, parameter), parameter.name: value}, parameter.name)

    def _check_name(self, settings: dict[str, Any], name: str) -> None:
        try:
            mind = planner(self._spec.planner, **settings)
        except (OptionError, UnknownNameError, CapacityError):  # a combination: it is refused when its turn comes
            return
        for game in self._games:
            try:
                mind.plan(game.start(), Budget(forward_calls=1))
            except UnknownNameError as error:
                raise OptionError(
                    f"parameters: {name} = {brief(settings[name])} in {game.spec}: {error} No game has been played; "
                    "correct the value."
                ) from None
            except Exception:
                pass

    def _schedule(self, tuned: Planner, seed: int) -> Schedule:
        """The tournament of one evaluation."""
        spec = self._spec
        fields = make_spec(
            name=spec.name,
            games=spec.games,
            players={TUNED: tuned.spec, **spec.opponents},
            budget=spec.budget,
            budgets=spec.budgets,
            pairing="gauntlet",
            challengers=(TUNED,),
            games_per_pair=spec.games_per_pair,
            seed=seed,
            max_turns=spec.max_turns,
            forfeit_overrun=spec.forfeit_overrun,
            replays="none",
            notes="none",
        )
        return Schedule(fields, self._games, {TUNED: tuned, **self._opponents}, self._imports)

    @property
    def identity(self) -> dict[str, Any]:
        """The tournament of the planner as it is, with the number of its games and what counts."""
        draw = {} if self._spec.draw == _HALF else {"draw": self._spec.draw}
        return {
            "tournament": self._base.identity,
            "rules": self._base.rules,
            "games_per_pair": self._spec.games_per_pair,
            "fitness": "result" if self._by_result else "score",
            **draw,
        }

    @cached_property
    def size(self) -> int:
        """Number of games of an evaluation."""
        return sum(1 for _ in self._base.jobs())

    def jobs(self, trial: Trial, settings: dict[str, Any]) -> list[str]:
        """The games of an evaluation."""
        tuned = planner(self._spec.planner, **settings)
        return [job.model_dump_json() for job in self._schedule(tuned, trial.seed).jobs()]

    def sample(self, answer: str, job: str) -> Sample:
        """The tuned planner's score or result in a game."""
        record = read_answer(Finished("", answer), GameJob.model_validate_json(job))
        (mine,) = (seat for seat in record.seats if seat.player == TUNED)
        others = ", ".join(seat.player for seat in record.seats if seat.player != TUNED)
        detail = f"{record.scenario}, seat {mine.seat + 1}{others and ' against '}{others}: {record.ending.value}"
        fitness = mine.result if self._by_result else mine.score
        if not self._by_result and mine.score == _HALF:
            fitness = self._spec.draw
        fault = f"{record.ending.value}: {record.detail}" if record.ending in FORFEITS else ""
        return Sample(fitness, f"{detail} {record.detail}".strip(), fault)

    def forfeit(self, sample: Sample) -> str:
        """The detail of a game that was forfeited."""
        return sample.detail if sample.detail and _FORFEIT.search(sample.detail) else ""

    def warm(self) -> None:
        """Let every opponent plan one turn in every scenario."""
        for game in self._games:
            for name, mind in self._opponents.items():
                refused = refusal(game.full_spec, mind.spec, self._base.spec.budget_of(name))
                if refused:
                    raise OptionError(
                        f"Opponent {name!r} ({mind.spec}) cannot play {game.spec}: {refused} No game has been played; "
                        "correct the opponent, or remove it."
                    )


def single_values(parameter: Parameter | Subset) -> list[Any]:
    """The values of a parameter; of a subset those with a single item, the empty one if it may be empty."""
    if isinstance(parameter, Parameter):
        return list(parameter.values)
    number = len(parameter.items)
    chosen = [[int(place == item) for place in range(number)] for item in range(number)]
    return [parameter.value(indices) for indices in ([] if parameter.least else [[0] * number]) + chosen]


def _met(parameters: dict[str, Parameter | Subset], parameter: Parameter | Subset) -> dict[str, Any]:
    """Settings with which the conditions of a parameter hold."""
    found: dict[str, Any] = {}
    for other, values in parameter.when.items():
        found |= {**_met(parameters, parameters[other]), other: values[0]}
    return found


class FunctionFitness(Fitness):
    """A Python function of settings and seed, named as ``module:function``.

    Args:
        name: Its name.
        imports: Modules that workers import first.

    Raises:
        OptionError: There is no such function.
    """

    def __init__(self, name: str, imports: Sequence[str] = ()) -> None:
        self.work = call_job
        self._name, self._imports = name, tuple(imports)
        import_modules(imports)
        function_of(name)

    @property
    def identity(self) -> dict[str, Any]:
        """The function's name."""
        return {"function": self._name}

    @property
    def size(self) -> int:
        """One."""
        return 1

    def jobs(self, trial: Trial, settings: dict[str, Any]) -> list[str]:
        """One call."""
        return [
            json.dumps(
                {"function": self._name, "imports": self._imports, "settings": settings, "seed": trial.seed},
            )
        ]

    def sample(self, answer: str, job: str) -> Sample:
        """The number that the function returned."""
        found = json.loads(answer)
        if "error" in found:
            raise TurnwiseError(
                f"The fitness function {self._name} failed: {found['error'].rstrip('.')}. Finished evaluations are "
                "kept, and the same command continues with them. If the function gives other results once it is "
                "corrected, begin again: remove the results file, or choose another one with --out."
            )
        return Sample(float(found["fitness"]))


def call_job(text: str) -> str:
    """Call a fitness function.

    Args:
        text: JSON: function, imports, settings, seed.

    Returns:
        JSON: ``{"fitness": ...}``, or ``{"error": "..."}`` if the function failed.
    """
    job = json.loads(text)
    try:
        import_modules(job["imports"])
        value = function_of(job["function"])(job["settings"], job["seed"])
    except Exception as error:
        return json.dumps({"error": f"{type(error).__name__}: {error}"})
    try:
        return json.dumps({"fitness": number(value, "its result")})
    except OptionError as error:
        return json.dumps({"error": str(error)})


def function_of(name: str) -> Callable[[dict[str, Any], int], Any]:
    """The function of a text ``module:function``.

    Raises:
        OptionError: There is none.
    """
    module, _, attribute = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise OptionError(
            f"fitness = {name!r}: {error}. Expected module:function of a module that is installed or in PYTHONPATH."
        ) from None
    if not callable(found):
        raise OptionError(f"fitness = {name!r}: expected a function, got {brief(found)}.")
    return found  # type: ignore[no-any-return]


def make_fitness(spec: TuningSpec, imports: Sequence[str] = ()) -> Fitness:
    """The fitness of a tuning.

    Raises:
        OptionError: It is invalid.
        UnknownNameError: A game or planner does not exist.
    """
    return FunctionFitness(spec.function, imports) if spec.function else GameFitness(spec, imports)
