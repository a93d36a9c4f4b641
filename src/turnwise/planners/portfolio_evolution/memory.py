"""The memory of an evolution of scripts, and what a player keeps of its population from decision to decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from turnwise.core.chance import draw
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Floats, Ints
from turnwise.planners.portfolio_evolution.population import (
    ABLE,
    ANY,
    CHANGES,
    FIRST,
    PLAN,
    SEQUENCE,
    PopulationRecord,
    genome,
    own_turn,
)
from turnwise.planners.portfolio_evolution.search import alter, fill
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
ACTORS = {"able": ABLE, "first": FIRST, "any": ANY}
UNDRAWN = -1
MUTANTS_OF_BEST = 9  # published code


class Population(SearchMemory):
    """The arrays of one search.

    Attributes:
        codes: int64[max_turn], where turns are written.
        scripts: The portfolio.
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
        actions = slots * settings.length if settings.encoding == "sequence" else 1
        each |= {"keeps": slots, "codes": actions, "genes": slots * width, "alphabet": width}
        self.record = r = form.again(**each, state=game.state_words)
        arrays = team_arrays(game)
        self._team = Team(**arrays)
        settle_team(self._team, problem, settings.portfolio)
        self._team.room = arrays["given"]
        r.team[0].become(self._team)
        self._keep_fronts(slots, objectives)
        self.scripts = portfolio_of(game, settings.portfolio)
        reply = settings.reply or f"script({self.scripts[0]})"
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
            longest = settings.turns if settings.clock == "rounds" else settings.length
            alphabet = [scripts] * seats + [longest, max(1, seats), scripts] * settings.changes
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

    def kept_actions(self, index: int) -> list[int]:
        """The actions with which a sequence was rated; none in other encodings."""
        r = self.record
        if r.encoding != SEQUENCE:
            return []
        return [int(code) for code in r.array("codes")[index * r.length : (index + 1) * r.length]]

    def take_over(self, problem: Problem, rows: NDArray[np.int64]) -> None:
        """Begin with genomes of an earlier search; values that their genes cannot have are drawn."""
        r = self.record
        count = min(len(rows), r.members)
        self.genes[: count * r.width] = rows[:count].reshape(-1)
        complete(problem.record, r, count)

    def take_over_best(self, problem: Problem, row: NDArray[np.int64], actions: Sequence[int]) -> None:
        """Begin with the best genome of an earlier search and mutants of it; all others are random.

        Args:
            problem: The search problem.
            row: int64[width], the genome; values that its genes cannot have are drawn.
            actions: What its genes play as long as it is legal; none: what their scripts choose.
        """
        r = self.record
        self.take_over(problem, row[None])
        if actions:
            r.array("codes")[: r.length] = actions
            r.array("keeps")[0] = 1
        fill_with_mutants(problem.record, r, min(r.members, 1 + MUTANTS_OF_BEST))

    def take_over_values(self, rows: NDArray[np.int64], values: NDArray[np.float64]) -> None:
        """Go on with a population as it is, with the values that it has."""
        self.genes[: rows.size] = rows.reshape(-1)
        self.fitness[: len(values)] = values

    def values(self) -> NDArray[np.float64]:
        """float64[members], the population's fitness, best first."""
        found: NDArray[np.float64] = self.fitness[self.order[: self.record.members]].copy()
        return found

    def best(self, final: str) -> int:
        """The individual to play: the first in order, or the best by the evaluation or first objective."""
        members: list[int] = self.order[: self.record.members].tolist()
        if final == "first":
            return members[0]
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


@kernel
def fill_with_mutants(p: ProblemRecord, e: PopulationRecord, end: int) -> None:
    """Replace the individuals from the second one to ``end`` - 1 by mutants of the first."""
    best = genome(e, 0)
    for index in range(1, end):
        genes = genome(e, index)
        for i in range(e.width):
            genes[i] = best[i]
        alter(p, e, genes)


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
    r.actors, r.idle_any = ACTORS[settings.actors], settings.idle == "any"
    r.by_rounds, r.random_mutants = settings.clock == "rounds", settings.mutants == "random"
    r.mutates_changes, r.one_parent = settings.mutates_changes, settings.parents == 1
    r.random_ties = settings.ties == "random"
    r.by_children, r.overshoots = settings.survivors == "children", settings.overshoot
    return r


class Kept:
    """The population of the last decision.

    Attributes:
        state: Where its search began.
        planned: The actions that it planned.
        actors: Numbers of the mover's actors there.
        rows: int64[members, width], the genomes, best first.
        values: float64[members], their fitness.
        actions: The actions with which the best genome was rated, if it is a sequence.
    """

    def __init__(
        self,
        state: State,
        planned: list[int],
        actors: list[int],
        rows: NDArray[np.int64],
        values: NDArray[np.float64],
        actions: Sequence[int] = (),
    ) -> None:
        self.state, self.planned, self.actors = state, planned, actors
        self.rows, self.values, self.actions = rows, values, actions

    def carry_over(self, problem: Problem, population: Population, settings: PortfolioEvolutionParameters) -> bool:
        """Let a new search begin with what is kept; returns whether it does."""
        if settings.carry_over == "population":
            rows = self.moved_on(problem.state, population.actors(), settings)
            if rows is None:
                return False
            population.take_over(problem, rows)
            return True
        is_same_turn = (problem.state.to_move, problem.state.turn) == (self.state.to_move, self.state.turn)
        if settings.encoding == "changes" and is_same_turn and self.actors == population.actors():
            population.take_over_values(self.rows, self.values)
            return True
        rows = self._rows_after(1, is_same_turn and settings.encoding != "plan", population.actors(), settings)
        actions = [*self.actions[1:], *self.actions[:1]] if settings.kept_actions else []
        population.take_over_best(problem, rows[0], actions)
        return True

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
        return None if steps is None else self._rows_after(steps, same_turn, actors, settings)

    def _rows_after(
        self, steps: int, same_turn: bool, actors: list[int], settings: PortfolioEvolutionParameters
    ) -> NDArray[np.int64]:
        """The genomes after some own actions; UNDRAWN: new genes."""
        if settings.encoding == "sequence":
            return _shifted(self.rows, min(steps, self.rows.shape[1]))
        if settings.encoding == "plan":
            table = self.rows.reshape(len(self.rows), settings.turns, len(self.actors))
            table = table if same_turn else _shifted_rows(table)
            return _by_actor(table, self.actors, actors).reshape(len(self.rows), -1)
        seats = len(self.actors)
        scripts, changes = self.rows[:, :seats].copy(), self.rows[:, seats:].reshape(len(self.rows), -1, 3).copy()
        _count_down(scripts, changes, steps, settings.clock == "rounds")
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


def _count_down(scripts: NDArray[np.int64], changes: NDArray[np.int64], steps: int, by_rounds: bool) -> None:
    """Count all changes down, in place; those that are due are made and undrawn.

    A countdown in own actions is due after as many actions, so 0 is due with the next one. One in rounds is due when a
    round has begun, so 0 never is.
    """
    for row, listed in zip(scripts, changes, strict=True):
        for change in sorted(range(len(listed)), key=lambda c: int(listed[c, 0])):
            is_due = listed[change, 0] == steps if by_rounds else listed[change, 0] < steps
            if is_due and len(row):
                row[listed[change, 1]] = listed[change, 2]
                listed[change] = UNDRAWN
            else:
                listed[change, 0] -= steps
