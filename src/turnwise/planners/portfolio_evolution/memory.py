"""The memory of an evolution of scripts, and what a player keeps of its population from decision to decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from turnwise.core.chance import draw
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Floats, Ints
from turnwise.planners.portfolio_evolution.population import (
    CHANGES,
    PLAN,
    SEQUENCE,
    PopulationRecord,
    genome,
    own_turn,
)
from turnwise.planners.portfolio_evolution.search import fill
from turnwise.search.forms import form_of
from turnwise.search.horizon import GAME, Reach
from turnwise.search.known_line import steps_between
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import HorizonMemory
from turnwise.search.team import BY_ACTOR, Team, gather, portfolio_of, settle_team, team_arrays

if TYPE_CHECKING:
    from turnwise.planners.portfolio_evolution.planner import PortfolioEvolutionParameters

ENCODINGS = {"sequence": SEQUENCE, "plan": PLAN, "changes": CHANGES}
UNDRAWN = -1


class Population(SearchMemory):
    """The arrays of one search.

    Attributes:
        codes: int64[max_turn], where turns are written.
    """

    record: PopulationRecord

    def __init__(self, problem: Problem, settings: PortfolioEvolutionParameters) -> None:
        """Allocate.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
        """
        game, slots = problem.game, 2 * settings.population
        width, objectives = most_genes(game, settings), max(1, len(problem.objectives))
        form = form_of(game, (PopulationRecord, settings), lambda: _form(settings))
        each = dict.fromkeys(("fitness", "order"), slots)
        self.record = r = form.again(**each, state=game.state_words, genes=slots * width, alphabet=width)
        arrays = team_arrays(game)
        self._team = Team(**arrays)
        settle_team(self._team, problem, settings.portfolio)
        self._team.room = arrays["given"]
        r.team[0].become(self._team)
        self._keep_fronts(slots, objectives)
        reply = settings.reply or f"script({portfolio_of(game, settings.portfolio)[0]})"
        self._lines = HorizonMemory(r.reach[0], problem, Reach(GAME, 0, 0), reply)
        r.slots = slots
        self.codes = np.zeros(game.max_turn, np.int64)
        self.genes, self.order, self.fitness = r.array("genes"), r.array("order"), r.array("fitness")

    def _keep_fronts(self, slots: int, objectives: int) -> None:
        f = self.record.fronts[0]
        self._values = np.zeros(slots * objectives)
        self._numbers = [np.zeros(slots, np.int64) for _ in range(3)]
        self._crowding = np.zeros(slots)
        for name, array in zip(("front", "dominators", "order"), self._numbers, strict=True):
            setattr(f, name, Ints.of(array))
        f.values, f.crowding = Floats.of(self._values), Floats.of(self._crowding)
        f.objectives = objectives

    def begin(self, problem: Problem, settings: PortfolioEvolutionParameters) -> None:
        """Begin a search: list the actors, and make a random population of genomes for them."""
        self._lines.attach(problem)
        r = self.record
        begin_population(problem.record, r)
        seats = r.seats
        scripts = self._team.size
        alphabet: list[int] = [scripts] * settings.length
        if r.encoding == PLAN:
            alphabet = [scripts] * (seats * settings.turns)
        elif r.encoding == CHANGES:
            alphabet = [scripts] * seats + [settings.length, max(1, seats), scripts] * settings.changes
        r.width = len(alphabet)
        r.array("alphabet")[: r.width] = alphabet
        fill(problem.record, r, 0)

    def actors(self) -> list[int]:
        """Numbers of the mover's actors where the search began."""
        team = self.record.team[0]
        return [team.given[self.record.first + place] for place in range(self.record.seats)]

    def individuals(self) -> NDArray[np.int64]:
        """int64[members, width], a copy of the population, best first."""
        r = self.record
        rows = self.genes[: r.slots * r.width].reshape(r.slots, r.width)
        found: NDArray[np.int64] = rows[self.order[: r.members]].copy()
        return found

    def take_over(self, problem: Problem, rows: NDArray[np.int64]) -> None:
        """Begin with genomes of an earlier search; values that their genes cannot have are drawn."""
        r = self.record
        count = min(len(rows), r.members)
        self.genes[: count * r.width] = rows[:count].reshape(-1)
        complete(problem.record, r, count)

    def best(self) -> int:
        """The individual that is best by the evaluation or the first objective; ties: the first in order."""
        members: list[int] = self.order[: self.record.members].tolist()
        return max(members, key=lambda index: float(self.fitness[index]))

    def turn(self, problem: Problem, index: int) -> list[int]:
        """The own actions of the first turn by an individual."""
        count = own_turn(problem.record, self.record, index, self.codes)
        return [int(code) for code in self.codes[:count]]


@kernel
def begin_population(p: ProblemRecord, e: PopulationRecord) -> None:
    """List the actors of all seats; those of the others have the first script."""
    t = e.team[0]
    gather(p, t, p.root, BY_ACTOR)
    e.first = t.first[p.mover]
    e.seats = t.first[p.mover + 1] - e.first


@kernel
def complete(p: ProblemRecord, e: PopulationRecord, count: int) -> None:
    """Draw all values of the first individuals that their genes cannot have."""
    for index in range(count):
        genes = genome(e, index)
        for i in range(e.width):
            if genes[i] < 0 or genes[i] >= e.alphabet[i]:
                genes[i] = draw(p.rng, e.alphabet[i])


def most_genes(game: Game, settings: PortfolioEvolutionParameters) -> int:
    """Maximum number of genes in a genome."""
    actors = game.max_actors or game.max_actions
    if settings.encoding == "sequence":
        return settings.length
    if settings.encoding == "plan":
        return actors * settings.turns
    return actors + 3 * settings.changes


def _form(settings: PortfolioEvolutionParameters) -> PopulationRecord:
    """A record without arrays that has the planner's parameters."""
    r = PopulationRecord()
    r.members, r.encoding = settings.population, ENCODINGS[settings.encoding]
    r.length, r.turns, r.changes = settings.length, settings.turns, settings.changes
    r.tournament, r.mutation_probability = settings.tournament, settings.mutation_probability
    r.elitism = settings.elitism
    return r


class Kept:
    """The population of the last decision.

    Attributes:
        state: Where its search began.
        planned: The actions that it planned.
        actors: Numbers of the mover's actors there.
        rows: int64[members, width], the genomes, best first.
    """

    def __init__(self, state: State, planned: list[int], actors: list[int], rows: NDArray[np.int64]) -> None:
        self.state, self.planned, self.actors, self.rows = state, planned, actors, rows

    def moved_on(
        self, state: State, actors: list[int], settings: PortfolioEvolutionParameters
    ) -> NDArray[np.int64] | None:
        """The genomes as they go on in a later state; UNDRAWN: new genes. None: the game has left their line.

        Args:
            state: Where the next search begins.
            actors: The mover's actors there.
            settings: The planner's parameters.
        """
        same_turn = (state.to_move, state.turn) == (self.state.to_move, self.state.turn)
        steps = steps_between(self.state, self.planned, state) if same_turn else len(self.planned)
        if steps is None:
            return None
        if settings.encoding == "sequence":
            return _shifted(self.rows, min(steps, self.rows.shape[1]))
        if settings.encoding == "plan":
            table = self.rows.reshape(len(self.rows), settings.turns, len(self.actors))
            table = table if same_turn else _shifted_rows(table)
            return _by_actor(table, self.actors, actors).reshape(len(self.rows), -1)
        seats = len(self.actors)
        scripts, changes = self.rows[:, :seats].copy(), self.rows[:, seats:].reshape(len(self.rows), -1, 3).copy()
        _count_down(scripts, changes, steps)
        places = [actors.index(actor) if actor in actors else UNDRAWN for actor in self.actors] + [UNDRAWN]
        changes[:, :, 1] = np.array(places)[changes[:, :, 1]]  # an undrawn one is the last of these
        first = _by_actor(scripts[:, None, :], self.actors, actors)[:, 0, :]
        return np.concatenate([first, changes.reshape(len(self.rows), -1)], axis=1)


def _shifted(rows: NDArray[np.int64], steps: int) -> NDArray[np.int64]:
    new = np.full_like(rows, UNDRAWN)
    new[:, : rows.shape[1] - steps] = rows[:, steps:]
    return new


def _shifted_rows(table: NDArray[np.int64]) -> NDArray[np.int64]:
    new = np.full_like(table, UNDRAWN)
    new[:, :-1] = table[:, 1:]
    return new


def _by_actor(table: NDArray[np.int64], before: list[int], now: list[int]) -> NDArray[np.int64]:
    """A table [individual, turn, actor] for other actors; new ones are undrawn."""
    new = np.full((*table.shape[:2], len(now)), UNDRAWN, np.int64)
    for place, actor in enumerate(now):
        if actor in before:
            new[:, :, place] = table[:, :, before.index(actor)]
    return new


def _count_down(scripts: NDArray[np.int64], changes: NDArray[np.int64], steps: int) -> None:
    """Count all changes down by a number of played actions, in place; those that are due are made and undrawn."""
    for row, listed in zip(scripts, changes, strict=True):
        for change in sorted(range(len(listed)), key=lambda c: int(listed[c, 0])):
            if listed[change, 0] < steps and len(row):
                row[listed[change, 1]] = listed[change, 2]
                listed[change] = UNDRAWN
            else:
                listed[change, 0] -= steps
