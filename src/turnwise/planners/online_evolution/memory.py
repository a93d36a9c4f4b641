"""The memory of one population of online evolution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import merge
from typing import TYPE_CHECKING

import numpy as np

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.record import Words
from turnwise.planners.online_evolution.diversity import CROWDING, DIVERSITIES, TABU
from turnwise.planners.online_evolution.population import (
    TurnPopulation,
    best_distinct,
    count_unknown,
    forget_outcomes,
)
from turnwise.planners.online_evolution.representations import (
    DESCRIPTORS,
    PERMUTATION,
    code_bytes,
    code_width,
    settle_codes,
)
from turnwise.search.actor_names import settle_names
from turnwise.search.alignment import settle_crossover
from turnwise.search.forms import form_of
from turnwise.search.genomes import ALWAYS, IF_DRAWN, GenomeMemory
from turnwise.search.memory_limit import Entries, genome_bytes, within_memory
from turnwise.search.outcome_table import likely_states, rounded_up, slots_for
from turnwise.search.problem import Problem
from turnwise.search.reply import everyone
from turnwise.search.turn_genomes import settle_turns
from turnwise.search.turn_replies import TurnRepliesMemory

if TYPE_CHECKING:
    from turnwise.planners.online_evolution.planner import OnlineEvolutionParameters

_PATIENCE = 200  # if only evaluations are limited: known outcomes cost none, so the limit may never be reached
_SLOT_BYTES = 16  # key and value
_SEEN_BYTES = 8  # and, for tabu, when it was seen
_ROUNDING = 1e-9  # 100 * 0.29 is less than 29
_CAPS = 4  # how many times as long as ``cap`` the genes of a renewed population may be
LEAST_OUTCOMES, MOST_OUTCOMES = 1 << 10, 1 << 28


def within_limits(settings: OnlineEvolutionParameters, game: Game) -> OnlineEvolutionParameters:
    """The parameters with the number of outcomes that the population of one stream remembers."""

    def size(entries: Entries) -> int:
        slots, width = genome_slots(settings), genome_width(settings, game)
        fixed = genome_bytes(game, slots, width, aligned=settings.alignment == "subsequence")
        fixed += 2 * 8 * slots + code_bytes(settings, game, width, slots)
        return fixed + table_bytes(entries["table"], tabu=settings.diversity == "tabu")

    return within_memory(settings, game, lambda count: {"table": count}, size, LEAST_OUTCOMES, MOST_OUTCOMES)


def table_bytes(outcomes: int, *, tabu: bool = False) -> int:
    """Size of an outcome table, with the list of what was entered."""
    return slots_for(outcomes) * (_SLOT_BYTES + (_SEEN_BYTES if tabu else 0)) + 8 * outcomes


def part_of(count: int, share: float) -> int:
    """A share of a number, rounded down; a product that is whole but for the error of floating point is whole."""
    return int(count * share + _ROUNDING)


def renewed_survivors(settings: OnlineEvolutionParameters) -> int:
    """How many members of a population that is renewed are paired."""
    return settings.population - part_of(settings.population, 1 - settings.survivors)


def genome_slots(settings: OnlineEvolutionParameters) -> int:
    """Number of genomes for which a population has room: its members, and children that compete with them.

    In a population that is renewed every survivor may have a child of its own, if the same one wins both tournaments;
    the last slot is for the answer.
    """
    if settings.renews:
        return settings.population + renewed_survivors(settings) + 1
    return settings.population + (2 if settings.diversity == "crowding" else 0)


def genome_width(settings: OnlineEvolutionParameters, game: Game) -> int:
    """Most genes of a genome."""
    return max(game.max_turn, _CAPS * settings.cap) if settings.renews else game.max_turn


class TurnPopulationMemory(GenomeMemory):
    """One population with its outcome table.

    Attributes:
        keys: uint64[size], fingerprint of each genome's outcome.
    """

    record: TurnPopulation

    def __init__(self, problem: Problem, settings: OnlineEvolutionParameters, entries: int) -> None:
        """Allocate.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            entries: Room of the outcome table.
        """
        game, genomes, slots = problem.game, genome_slots(settings), slots_for(entries)
        width = genome_width(settings, game)
        form = form_of(game, (TurnPopulation, settings), lambda: _form(settings, problem))
        room = {"known": slots, "worths": slots, "entered": entries}
        room |= {"seen": slots} if form.diversity == TABU else {}
        room |= {"totals": genomes, "keys": genomes, "root": game.state_words}
        super().__init__(form, game, settings.population, genomes, width, **room)
        self._replies = TurnRepliesMemory(self.record.replies[0], problem, settings)
        self.keys, self._order = self.record.array("keys"), self.record.array("order")
        self._codes = settle_codes(self.record.code[0], settings, width, genomes, game)
        if self._codes and settings.representation != PERMUTATION:
            self.record.baggage = 2 + code_width(settings, width) * self._codes[0].stride
        if settings.representation == DESCRIPTORS:
            self._names = settle_names(self.record.names[0], game)
        self.record.answer = genomes - 1
        forget_outcomes(self.record)  # compiled or loaded now, not while the clock of the second world runs

    def begin_again(self, unused: bytes) -> None:
        """See :meth:`SearchMemory.begin_again`; afterwards no outcome is known."""
        if self.record.has_large_arrays:
            forget_outcomes(self.record)
        super().begin_again(unused)
        if self._codes and self.record.code[0].mask > 0:
            self._codes[0].array("slots")[:] = 0
            self._codes[0].array("marks")[:] = 0

    def carry(self, codes: Sequence[int]) -> None:
        """Let the first population begin with a turn that begins with some actions."""
        count = min(len(codes), self.record.width)
        self.genes[0, :count] = codes[:count]
        self.lengths[0] = count
        self.record.array("totals")[0] = count
        self.record.carried = 1 if count else 0

    def best_turns(self, most: int) -> list[tuple[list[int], float]]:
        """Actions and value of the best turns, no two of which have the same outcome or the same actions.

        Args:
            most: How many turns at most.
        """
        if self.record.generations > 0:
            return [(self._codes_of(self.record.answer), float(self.fitness[self.record.answer]))]
        count = best_distinct(self.record, most)
        return [(self._codes_of(index), float(self.fitness[index])) for index in self._order[:count].tolist()]

    def _codes_of(self, index: int) -> list[int]:
        codes: list[int] = self.genes[index, : self.lengths[index]].tolist()
        return codes

    @property
    def unfinished(self) -> list[int]:
        """The actions of a greedy turn that the budget has cut off, before any genome was assessed."""
        return self._codes_of(0) if self.record.ready == 0 and self.record.greedy_seed else []

    @property
    def unique_share(self) -> float:
        """Distinct outcomes among the genomes that have a value, as a share of these."""
        members = self.ranking[: self.record.members]
        keys = self.keys[members[self.visits[members] > 0]]
        return len(np.unique(keys)) / len(keys) if len(keys) else 0.0

    def turns(self) -> Iterator[tuple[float, int, list[int]]]:
        """Value, outcome and actions of every evaluated genome, best first; also during the search."""
        ranking = self.ranking.copy()  # a search may go on writing to it
        best_first = ranking[np.argsort(-self.fitness[ranking], kind="stable")]
        for index in best_first[self.visits[best_first] > 0].tolist():
            yield float(self.fitness[index]), int(self.keys[index]), self._codes_of(index)


def population_for(
    problem: Problem, settings: OnlineEvolutionParameters, budget: Budget, root: State
) -> TurnPopulationMemory:
    """A population without assessed genomes, with a table in proportion to the budget.

    Args:
        problem: The search problem.
        settings: The planner's parameters.
        budget: Limits, which determine the size of the outcome table.
        root: The state at which turns begin.
    """
    entries = min(settings.table, rounded_up(likely_states(budget, settings.population)))
    most = entries if budget.seconds is None else min(settings.table, _rounded_further(entries))
    population = problem.memory((TurnPopulation, settings, most), lambda: TurnPopulationMemory(problem, settings, most))
    r = population.record
    r.mask, r.room = slots_for(entries) - 1, entries
    r.copy_words("root", root.address, problem.game.state_words)
    others = (budget.seconds, budget.forward_calls, budget.iterations)
    r.patience = _PATIENCE if all(limit is None for limit in others) else 0
    return population


def _rounded_further(entries: int) -> int:
    """The next power of four: the time that is left for a world varies, and all worlds are to use the same memory."""
    return 1 << 2 * -(-(entries - 1).bit_length() // 2)


def _form(settings: OnlineEvolutionParameters, problem: Problem) -> TurnPopulation:
    """A population without arrays that has the planner's parameters."""
    r = TurnPopulation()
    rollouts = settings.rollouts if settings.fitness == "rollout" else 0
    replies_vary = settings.simulates_replies and problem.game.is_stochastic
    varies = rollouts > 0 or settings.reevaluate or replies_vary
    worst = settings.population - 1  # which is replaced, so it never migrates
    r.emigrant = min(1, worst - 1) if settings.emigrant == "second-best" else worst - 1
    r.survivors = min(max(1, part_of(settings.population, settings.survivors)), settings.population - 1)
    r.diversity = DIVERSITIES[settings.diversity]
    if r.diversity == CROWDING:  # a genome dies only by a better child
        r.survivors = settings.population
    r.niche, r.niche_winners = settings.niche, settings.niche_winners if settings.diversity == "clearing" else 1
    r.tenure = settings.tenure or settings.population
    free = settings.population - r.survivors
    r.mutants, r.newcomers = part_of(free, settings.mutants), part_of(free, settings.newcomers)
    r.tournament = settings.tournament if settings.pairing == "tournament" else 0
    r.greedy_seed = settings.greedy_seed
    if settings.renews:
        r.survivors = renewed_survivors(settings)
        r.tournament = settings.tournament
    r.mutation_probability = settings.mutation_probability
    r.mutate_forced = settings.mutate_end
    settle_turns(r, problem, settings, settings.repair)
    settle_crossover(r, settings)
    r.pair_each = settings.pairing == "each"
    r.material = settings.material
    r.reevaluate = ALWAYS if varies else IF_DRAWN
    r.use_known = not varies
    r.keep_worst_known = settings.history and rollouts > 0
    r.averages = settings.combine == "mean" or (settings.combine == "auto" and rollouts == 0)
    r.rollouts = rollouts
    if rollouts > 0:
        r.keep("rollouts", everyone(r.rollout[0], problem, settings.rollout_turns))
    r.greedy_probability = settings.greedy_probability
    return r


def distinct_turns(populations: list[TurnPopulationMemory], most: int) -> list[tuple[list[int], float]]:
    """Actions and value of the best turns of all populations, no two with the same outcome or the same actions.

    It may be called during the search: a turn may be one that is half written.

    Args:
        populations: The populations.
        most: How many turns at most.
    """
    distinct: dict[int, tuple[list[int], float]] = {}
    for value, outcome, codes in merge(*(each.turns() for each in populations), key=lambda turn: -turn[0]):
        if len(distinct) >= most:
            break
        if outcome not in distinct and all(codes != other for other, _ in distinct.values()):
            distinct[outcome] = codes, value
    return list(distinct.values())


def distinct_outcomes(populations: list[TurnPopulationMemory]) -> int:
    """Number of distinct outcomes that several populations have seen together."""
    if len(populations) == 1:
        return populations[0].record.outcomes
    addresses = Words.of(np.array([p.record.address for p in populations], np.uint64))
    return sum(count_unknown(p.record, addresses, earlier) for earlier, p in enumerate(populations))
