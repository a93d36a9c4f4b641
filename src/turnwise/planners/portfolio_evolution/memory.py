"""The memory of an evolution of scripts, and what a player keeps of its population from decision to decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from turnwise.core.chance import draw
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.core.table import NOTHING
from turnwise.jit.kernel import kernel
from turnwise.jit.record import Floats, Ints
from turnwise.planners.portfolio_evolution.as_coded import spread
from turnwise.planners.portfolio_evolution.encodings import (
    ABLE,
    CHANGES,
    PLAN,
    SEQUENCE,
    TOGETHER,
    WITH_ACTION,
    ScriptPopulation,
    genome,
)
from turnwise.planners.portfolio_evolution.population import own_turn
from turnwise.planners.portfolio_evolution.search import fill
from turnwise.search.forms import form_of
from turnwise.search.horizon import GAME, Reach
from turnwise.search.known_line import steps_between
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.named_portfolios import portfolio_of
from turnwise.search.planner_parameters import READINGS
from turnwise.search.problem import Problem
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.reply import HorizonMemory
from turnwise.search.team import BY_ACTOR, Team, gather, script_figures, settle_team, team_arrays

if TYPE_CHECKING:
    from turnwise.planners.portfolio_evolution.planner import PortfolioEvolutionParameters
    from turnwise.search.inspection.findings import Findings

ENCODINGS = {"sequence": SEQUENCE, "plan": PLAN, "changes": CHANGES}
ACTS = {"with-action": WITH_ACTION, "able": ABLE, "together": TOGETHER}
UNDRAWN = -1


class ScriptPopulationMemory(SearchMemory):
    """The arrays of one search.

    Attributes:
        codes: int64[max_turn], where turns are written.
        figures: The names under which the use of the portfolio's scripts is reported.
    """

    record: ScriptPopulation

    def __init__(self, problem: Problem, settings: PortfolioEvolutionParameters) -> None:
        """Allocate.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
        """
        game, slots = problem.game, 2 * settings.population
        width, objectives = most_genes(game, settings), max(1, len(problem.objectives))
        form = form_of(game, (ScriptPopulation, settings), lambda: _form(settings))
        each = dict.fromkeys(("fitness", "order"), slots)
        stride = width + (settings.length if form.stores else 0)
        rivals = settings.tournament if form.distinct else 0
        sizes = {"state": game.state_words, "genes": slots * stride, "alphabet": width, "rivals": rivals}
        self.record = r = form.again(**each, **sizes)
        arrays = team_arrays(game)
        self._team = Team(**arrays)
        settle_team(self._team, problem, settings.portfolio)
        self._team.room = arrays["given"]
        r.team[0].become(self._team)
        self._keep_fronts(slots, objectives)
        r.fronts[0].absolute = settings.crowding == "absolute"
        self.figures = script_figures(game, settings.portfolio)
        reply = settings.reply
        if reply in ("", *READINGS):
            reply = f"script({portfolio_of(game, reply or settings.portfolio)[0]})"
        self._lines = HorizonMemory(r.reach[0], problem, Reach(GAME, 0, 0), reply)
        r.slots = slots
        self.codes = np.zeros(game.max_turn, np.int64)
        self._given = self._team.array("given")
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

    def begin(self, problem: Problem) -> None:
        """Begin a search: list the actors, and make a random population of genomes for them."""
        self._lines.attach(problem)
        begin_population(problem.record, self.record)

    def actors(self) -> list[int]:
        """Numbers of the mover's actors where the search began."""
        first = self.record.first
        found: list[int] = self._given[first : first + self.record.seats].tolist()
        return found

    def individuals(self) -> NDArray[np.int64]:
        """int64[members, stride], a copy of the population, best first."""
        r = self.record
        slots, stride = r.slots, r.stride
        genomes = self.genes[: slots * stride].reshape(slots, stride)
        found: NDArray[np.int64] = genomes.take(self.order[: r.members], axis=0)
        return found

    def show(self, findings: Findings, scripts: Sequence[str]) -> None:
        """Copy the best individuals for people to look at.

        Args:
            findings: Where they are copied to.
            scripts: The portfolio, in which genes are places.
        """
        r = self.record
        rows = self.individuals()[:, : r.width].tolist()
        fitness = self.fitness[self.order[: r.members]].tolist()
        members = ((value, self._gene_texts(row, scripts)) for value, row in zip(fitness, rows, strict=True))
        findings.add_genomes("population of scripts", members, size=r.members, value="fitness")

    def _gene_texts(self, genes: Sequence[int], scripts: Sequence[str]) -> list[str]:
        """A genome as text: its scripts; a change is when, whose and which script."""
        r = self.record
        if r.encoding != CHANGES:
            return [scripts[gene] for gene in genes]
        when = "turn" if r.ticks_in_turns else "action"
        changes = [genes[i : i + 3] for i in range(r.seats, len(genes), 3)]
        return [scripts[gene] for gene in genes[: r.seats]] + [
            f"{when} {tick + 1}: actor {actor + 1} to {scripts[script]}" for tick, actor, script in changes
        ]

    def ratings(self) -> NDArray[np.float64]:
        """float64[members, 1 + objectives], what the individuals are worth, best first; -inf: not rated."""
        r, members = self.record, self.order[: self.record.members]
        values = self._values.reshape(r.slots, -1)[members]
        found: NDArray[np.float64] = np.concatenate([self.fitness[members][:, None], values], axis=1)
        return found

    def take_over(self, problem: Problem, rows: NDArray[np.int64]) -> None:
        """Begin with genomes of an earlier search; values that their genes cannot have are drawn."""
        r = self.record
        count = min(len(rows), r.members)
        self.genes[: count * r.stride] = rows[:count].reshape(-1)
        complete(problem.record, r, count)

    def keep_ratings(self, ratings: NDArray[np.float64]) -> None:
        """Let the individuals that were taken over keep what they were worth."""
        count, slots = min(len(ratings), self.record.members), self.record.slots
        self.fitness[:count] = ratings[:count, 0]
        self._values.reshape(slots, -1)[:count] = ratings[:count, 1:]

    def spread(self, problem: Problem, mutants: int) -> None:
        """Begin with the first individual, some mutants of it, and random ones."""
        spread(problem.record, self.record, mutants)

    def chosen(self, pick: str) -> int:
        """The individual whose turn is played: best by the evaluation or first objective, or the first of the ranking.

        Ties: the first in order.
        """
        if pick == "ranking":
            return int(self.order[0])
        members = self.order[: self.record.members]
        return int(members[self.fitness[members].argmax()])

    def turn(self, problem: Problem, index: int) -> list[int]:
        """The own actions of the first turn by an individual."""
        codes: list[int] = self.codes[: own_turn(problem.record, self.record, index, self.codes)].tolist()
        return codes


@kernel
def begin_population(p: ProblemRecord, e: ScriptPopulation) -> None:
    """List the actors of all seats, and make a random population; the actors of the others have the first script."""
    t = e.team[0]
    gather(p, t, p.root, BY_ACTOR)
    e.first = t.first[p.mover]
    e.seats = t.first[p.mover + 1] - e.first
    describe_genes(e, t.size)
    fill(p, e, 0)


@kernel
def describe_genes(e: ScriptPopulation, scripts: int) -> None:
    """Write how many genes a genome has, and how many values each of them."""
    e.width = e.length
    if e.encoding == PLAN:
        e.width = e.seats * e.turns
    elif e.encoding == CHANGES:
        e.width = e.seats + 3 * e.changes
    for i in range(e.width):
        e.alphabet[i] = scripts
    if e.encoding == CHANGES:
        for i in range(e.seats, e.width, 3):
            e.alphabet[i] = e.turns if e.ticks_in_turns != 0 else e.length
            e.alphabet[i + 1] = max(1, e.seats)
    e.stride = e.width + (e.length if e.stores != 0 else 0)
    e.mutable = e.width if e.mutates_changes != 0 or e.encoding != CHANGES else e.seats


@kernel
def complete(p: ProblemRecord, e: ScriptPopulation, count: int) -> None:
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


def _form(settings: PortfolioEvolutionParameters) -> ScriptPopulation:
    """A record without arrays that has the planner's parameters."""
    r = ScriptPopulation()
    r.members, r.encoding = settings.population, ENCODINGS[settings.encoding]
    r.length, r.turns, r.changes = settings.length, settings.turns, settings.changes
    r.tournament, r.mutation_probability = settings.tournament, settings.mutation_probability
    r.elitism = settings.elitism
    r.acts, r.idles_at_random = ACTS[settings.acts], settings.idle == "random"
    is_sequence, has_changes = settings.encoding == "sequence", settings.encoding == "changes"
    r.final_reply = is_sequence and settings.final_reply
    r.stores = is_sequence and settings.stored_actions
    r.by_number = not is_sequence and settings.counted_by == "number"
    r.ticks_in_turns = has_changes and settings.ticks == "turns"
    r.mutates_changes = settings.mutate_changes
    r.whole_changes = has_changes and settings.change_crossover == "whole"
    r.redraws_all, r.one_parent = settings.mutant_genes == "all", settings.parents == "same"
    r.distinct = not settings.replacement
    r.merges = settings.survivors == "best"
    r.overshoots = settings.overshoot
    return r


class Kept:
    """The population of the last decision.

    Attributes:
        state: Where its search began.
        planned: The actions that it planned.
        actors: Numbers of the mover's actors there.
        rows: int64[members, stride], the genomes, best first.
        ratings: float64[members, 1 + objectives], what they were worth.
    """

    def __init__(
        self,
        state: State,
        planned: list[int],
        actors: list[int],
        rows: NDArray[np.int64],
        ratings: NDArray[np.float64] | None = None,
    ) -> None:
        self.state, self.planned, self.actors, self.rows, self.ratings = state, planned, actors, rows, ratings

    def is_of_turn(self, state: State) -> bool:
        """Whether a state belongs to the same turn."""
        return (state.to_move, state.turn) == (self.state.to_move, self.state.turn)

    def moved_on(
        self,
        state: State,
        actors: list[int],
        settings: PortfolioEvolutionParameters,
        played: Sequence[int] | None = None,
    ) -> NDArray[np.int64] | None:
        """The genomes as they go on in a later state; UNDRAWN: new genes. None: the population does not go on.

        Args:
            state: Where the next search begins.
            actors: The mover's actors there.
            settings: The planner's parameters.
            played: What was played since, if comparing the states does not show it; see :attr:`.Problem.played`.
        """
        same_turn = self.is_of_turn(state)
        steps = self._steps(state, settings, played)
        if steps is None:
            return None
        rows = self.rows if settings.carry == "population" or self.stays(state, settings) else self.rows[:1]
        if settings.encoding == "sequence":
            return _moved_sequences(rows, min(steps, settings.length), settings)
        if settings.encoding == "plan":
            table = rows.reshape(len(rows), settings.turns, len(self.actors))
            shifts = not same_turn or (settings.rotate == "action" and steps > 0)
            table = _shifted_rows(table) if shifts else table
            return _by_actor(table, self.actors, actors).reshape(len(rows), -1)
        seats = len(self.actors)
        scripts, changes = rows[:, :seats].copy(), rows[:, seats:].reshape(len(rows), -1, 3).copy()
        if settings.ticks == "actions":
            _count_down(scripts, changes, steps)
        elif not same_turn:
            _count_turn_down(scripts, changes)
        places = [actors.index(actor) if actor in actors else UNDRAWN for actor in self.actors] + [UNDRAWN]
        changes[:, :, 1] = np.array(places)[changes[:, :, 1]]  # an undrawn one is the last of these
        first = _by_actor(scripts[:, None, :], self.actors, actors)[:, 0, :]
        return np.concatenate([first, changes.reshape(len(rows), -1)], axis=1)

    def stays(self, state: State, settings: PortfolioEvolutionParameters) -> bool:
        """Whether the population goes on as it is, with its values."""
        return settings.within_turn == "stay" and self.is_of_turn(state)

    def _steps(self, state: State, settings: PortfolioEvolutionParameters, played: Sequence[int] | None) -> int | None:
        """By how many actions the population moves on; None: it does not go on."""
        same_turn = self.is_of_turn(state)
        if not same_turn and settings.lasts == "turn":
            return None
        if self.stays(state, settings):
            return 0
        if played is not None:
            return len(played)
        if settings.follows == "anything":
            return len(self.planned)
        return steps_between(self.state, self.planned, state) if same_turn else len(self.planned)


def _moved_sequences(rows: NDArray[np.int64], steps: int, settings: PortfolioEvolutionParameters) -> NDArray[np.int64]:
    """Sequences without the genes that were played; stored actions move with their genes."""
    length = min(settings.length, rows.shape[1])
    left = length - steps
    moved = np.full_like(rows, UNDRAWN)
    moved[:, :left] = rows[:, steps:length]
    if rows.shape[1] > length:
        stored = moved[:, length:]
        stored[:, :left] = rows[:, length + steps :]
        stored[:, left:] = NOTHING if settings.last_gene == "new" else rows[:, length : length + steps]
    return moved


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
    if scripts.shape[1] == 0:  # nobody is left
        changes[:, :, 0] -= steps
        return
    individual, change = np.nonzero(changes[:, :, 0] < steps)
    in_time = np.argsort(changes[individual, change, 0], kind="stable")
    individual, change = individual[in_time], change[in_time]
    _, actor, script = changes[individual, change].T
    scripts[individual, actor] = script  # of several changes for an actor the last one remains
    changes[:, :, 0] -= steps
    changes[individual, change] = UNDRAWN


def _count_turn_down(scripts: NDArray[np.int64], changes: NDArray[np.int64]) -> None:
    """Count all changes down by a turn, in place; those that reach 0 are made and undrawn, those at 0 stay there."""
    for row, listed in zip(scripts, changes, strict=True):
        for change in listed:
            if change[0] == 1 and len(row):
                row[change[1]] = change[2]
                change[:] = UNDRAWN
            elif change[0] > 1:
                change[0] -= 1
