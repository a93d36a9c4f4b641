"""The memory of rolling horizon evolution: a population that is filled, read, evolved and moved with the horizon."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from turnwise.core.budget import UNLIMITED
from turnwise.core.game import Game
from turnwise.core.pickling import Pinned
from turnwise.core.state import State
from turnwise.jit.large_arrays import SMALL
from turnwise.planners.rhea.population import (
    BANDIT,
    CLONE,
    DIVERSITY,
    LOCAL,
    NONE,
    ONE_POINT,
    ROOT,
    UNIFORM_CROSSOVER,
    UNIFORM_MUTATION,
    PopulationRecord,
    TreeNode,
    ValueStatistics,
    open_places,
)
from turnwise.planners.rhea.search import shift
from turnwise.search.alignment import settle_crossover
from turnwise.search.forms import form_of
from turnwise.search.genomes import ALWAYS, IF_DRAWN, NEVER, GenomeMemory
from turnwise.search.horizon import ACTIONS, GAME, OWN_TURN, Reach, reach_of
from turnwise.search.known_line import steps_between
from turnwise.search.memory_limit import Entries, genome_bytes, within_memory
from turnwise.search.problem import Problem
from turnwise.search.reply import HorizonMemory, everyone
from turnwise.search.variable_length import settle

if TYPE_CHECKING:
    from turnwise.planners.rhea.planner import IslandParameters, RHEAParameters
    from turnwise.search.inspection.findings import Findings

_CROSSOVERS = {"one-point": ONE_POINT, "uniform": UNIFORM_CROSSOVER, "none": CLONE}
_MUTATIONS = {"uniform": UNIFORM_MUTATION, "diversity": DIVERSITY, "bandit": BANDIT, "local": LOCAL}
_REEVALUATE = {"auto": IF_DRAWN, "always": ALWAYS, "never": NEVER}
_MOST_VALUES = 4096  # slots of a place's value table for bandit mutation
LEAST_TREE, MOST_TREE = 2, 1 << 26


def within_limits(settings: IslandParameters, game: Game, worlds: int) -> IslandParameters:
    """The parameters with the number of nodes of the statistical tree of one stream.

    Args:
        settings: The planner's parameters.
        game: The scenario.
        worlds: Number of worlds of a decision, each of which has populations of its own.
    """

    def size(entries: Entries) -> int:
        return population_bytes(game, settings, entries["max_tree_nodes"])

    return within_memory(settings, game, lambda nodes: {"max_tree_nodes": nodes}, size, LEAST_TREE, MOST_TREE, worlds)


def population_bytes(game: Game, settings: RHEAParameters, tree_nodes: int) -> int:
    """Size of a population; what moves with the horizon is there twice while it is moved."""
    width = genome_reach(game, settings)[1]
    moves = width * (_value_slots(settings, game.max_actions) * ValueStatistics.dtype.itemsize + 2 * 8)
    moves += (tree_nodes if settings.tree_depth else 1) * TreeNode.dtype.itemsize
    genomes, is_aligned = settings.population + settings.offspring, settings.alignment == "subsequence"
    return genome_bytes(game, genomes, width, aligned=is_aligned) + 8 * width + 2 * moves


_SURPLUS = 8  # individuals that are read for each line that is shown


class Population(GenomeMemory, Pinned):
    """A population with its arrays; it outlives the problem of one search.

    A gene NONE is drawn when it is first played.

    Attributes:
        members: Number of individuals in the population.
        width: Genes of an individual.
    """

    record: PopulationRecord

    def __init__(self, problem: Problem, settings: RHEAParameters) -> None:
        """Allocate; every gene is NONE, so the first assessment draws random individuals.

        Args:
            problem: The first search's problem; see :meth:`attach`.
            settings: The planner's parameters.
        """
        game = problem.game
        self.members, slots = settings.population, settings.population + settings.offspring
        self.reach, self.width = genome_reach(game, settings)
        is_plain = settings.horizon == "auto" or isinstance(settings.horizon, int)
        form = form_of(game, (PopulationRecord, settings), lambda: _form(settings, problem))
        table = _value_slots(settings, game.max_actions)
        limit = settings.max_tree_nodes if settings.tree_depth else 1
        each = dict.fromkeys(("marks", "place_trials", "place_gains"), self.width)
        super().__init__(form, game, self.members, slots, self.width, **each, values=self.width * table, nodes=limit)
        r = self.record
        self.marks, self.nodes = r.array("marks"), r.array("nodes")
        self.values = r.array("values").reshape(self.width, table)
        self.places = r.array("place_trials"), r.array("place_gains")
        r.offspring = settings.offspring
        r.value_mask, r.era = table - 1, 1
        r.node_limit, r.node_count = limit, 1
        self._lines = HorizonMemory(r.reach[0], problem, self.reach, settings.reply, settings.greedy_probability)
        cleared = [(self.nodes, self.nodes[:1]), *((place, place) for place in self.places)]
        self._cleared = [part for array, part in cleared if array.nbytes > SMALL]  # small ones are restored
        r.whole_width = self._is_whole = is_plain and game.players == 1
        if self._is_whole:
            self.genes[:] = NONE
            r.span = self.width
        self.attach(problem)
        shift(self.record, 0)  # compiled or loaded now, not while the clock of the second turn runs

    def begin_again(self, unused: bytes) -> None:
        """See :meth:`SearchMemory.begin_again`; entries of large arrays are free if their era or number says so."""
        era = self.record.era
        super().begin_again(unused)
        self.record.era = era + 1
        for array in self._cleared:
            array[:] = 0
        if self._is_whole:
            self.genes[:] = NONE

    def attach(self, problem: Problem) -> None:
        """Make individuals start from the state of a (new) search; the problem must be kept as long as kernels run."""
        self.record.root = problem.state.address
        self._lines.attach(problem)
        self.state: State = problem.state

    # ---------------------------------------------------------------------------------- reading and filling

    def line(self, by_tree: bool = False) -> list[int]:
        """What to play: the fittest individual's genes as far as they are known.

        Args:
            by_tree: Follow the highest means of the statistical tree instead, then an individual that begins that way.
        """
        path = self.tree_line() if by_tree else []
        for index in self.ranking[: self.members] if path else ():
            codes = self.codes(int(index))
            if codes[: len(path)] == path:
                return codes
        return path or self.codes(int(self.ranking[0]))

    def decision(self, by_tree: bool = False) -> tuple[float | None, list[int]]:
        """Fitness and line of what to play (see :meth:`line`).

        There is no fitness if no individual has been assessed, or if the tree's line differs from the best individual.
        """
        index = int(self.ranking[0])
        best = self.codes(index)
        line = self.line(by_tree) if by_tree else best
        is_best = self.visits[index] > 0 and line == best
        return float(self.fitness[index]) if is_best else None, line

    def take_repaired(self) -> float:
        """How many genes have been replaced because they were illegal, since the last call."""
        count = self.record.repaired
        if count:
            self.record.repaired = 0
        return float(count)

    def codes(self, index: int) -> list[int]:
        """Genes of an individual: those played when it was assessed; before that, those up to the first NONE."""
        genes = self.genes[index, : self.record.span]
        if self.visits[index] > 0:
            genes = genes[: self.lengths[index]]
        codes: list[int] = genes.tolist()
        if self.visits[index] == 0 and NONE in codes:
            del codes[codes.index(NONE) :]
        return codes

    def individuals(self) -> Iterator[tuple[float, list[int]]]:
        """Fitness (-inf: not assessed) and genes of the whole population, best first."""
        for index in self.ranking[: self.members].tolist():
            yield float(self.fitness[index]), self.codes(index)

    def lines_so_far(self, most: int) -> list[tuple[list[int], float]]:
        """Genes and fitness of the best different individuals; also during the search.

        Many differ only after the own turn, so that there are more than are shown.

        Args:
            most: How many different turns are shown at most.
        """
        found: dict[tuple[int, ...], float] = {}
        for fitness, codes in self.individuals():
            if fitness > -np.inf and codes and len(found) < _SURPLUS * most:
                found.setdefault(tuple(codes), fitness)
        return sorted(((list(codes), fitness) for codes, fitness in found.items()), key=lambda one: -one[1])

    def show(self, findings: Findings) -> None:
        """Copy the best individuals for people to look at."""
        findings.add_population("population", self.state, self.individuals(), size=self.members, value="fitness")

    def fill(self, individuals: Sequence[Sequence[int]]) -> None:
        """Replace the population by given genes, padded with random ones, and random individuals if there are too few.

        Afterwards no individual is assessed; they will be assessed in the given order.

        Args:
            individuals: At most ``members`` lists of action codes; genes beyond the horizon are cut off.
        """
        slots = self.ranking[: self.members]
        longest = max((len(codes) for codes in individuals), default=0)
        if longest > self.record.span:
            open_places(self.record, min(self.width, longest))
        self.genes[slots, : self.record.span] = NONE
        self.lengths[slots], self.visits[slots], self.fitness[slots] = 0, 0, -np.inf
        for index, codes in zip(slots, individuals, strict=False):
            kept = list(codes[: self.width])
            self.genes[index, : len(kept)] = kept

    # ----------------------------------------------------------------------------------- moving the horizon

    def follow(self, problem: Problem, line: Sequence[int], discount: float) -> bool:
        """Move on to a search from a later state; False, without any change, if the line does not lead there.

        In a drawn world the genes of the actions that were really played are dropped, whatever was planned in the last
        one; the others are repaired where they are illegal now.

        Args:
            problem: The new search.
            line: What was planned from the state of the last search on.
            discount: See :meth:`shift`.
        """
        has_ended = problem.state.turn != self.state.turn
        if problem.played is not None and (problem.game.players == 1 or not has_ended):
            played: Sequence[int] = problem.played
        else:
            steps = steps_between(self.state, list(line), problem.state)
            if steps is None and self.goes_beyond_turn and has_ended:
                steps = self._own_turn(line)  # the others have moved: the genes after the own turn go on
            played = line[: steps or 0]
        if not played:  # the same state: the search starts from random individuals
            return False
        self.shift(played, discount)
        self.attach(problem)
        return True

    @property
    def goes_beyond_turn(self) -> bool:
        """Whether genomes go on after the own turn in a game of several players."""
        return self.reach.kind != OWN_TURN and self.state.game.players > 1

    def _own_turn(self, line: Sequence[int]) -> int:
        """How many actions of a line from ``state`` come before the next own turn; 0 if it does not get there."""
        now, has_ended = self.state, False
        for count, code in enumerate(line):
            own = now.to_move == self.state.to_move
            if has_ended and own:
                return count
            if now.is_over or not now.is_legal(code):
                return count if has_ended else 0
            now = now.play(code)
            has_ended = has_ended or (now.to_move, now.turn) != (self.state.to_move, self.state.turn)
        return 0

    def shift(self, played: Sequence[int], discount: float = 1.0) -> None:
        """Move the horizon over actions that have been played; every individual must be assessed again.

        Args:
            played: Codes of these actions; the root of the statistical tree moves along them.
            discount: Factor for the statistics of bandit mutation and tree for every action.
        """
        steps = len(played)
        span, factor = self.record.span, discount**steps
        shift(self.record, steps)
        if self.record.mutation_operator == BANDIT:  # diversity mutation counts again in every generation
            self._shift_statistics(steps, span, factor)
        nodes = self.nodes[: self.record.node_count]
        for array in (nodes["visits"], nodes["total"]):
            array *= factor
        self._replant(played)

    def _shift_statistics(self, steps: int, span: int, factor: float) -> None:
        """Move what bandit mutation knows about the first ``span`` places; it counts less than what is learnt now."""
        values, places = self.values[:span], [array[:span] for array in self.places]
        for array in (values, *places):
            if steps < span:
                array[: span - steps] = array[steps:].copy()
        values[max(0, span - steps) :]["era"] = 0
        for array in places:
            array[max(0, span - steps) :] = 0.0
        for array in (values["trials"], values["gain"], *places):
            array *= factor

    def _replant(self, played: Sequence[int]) -> None:
        """Keep only the part of the tree below the actions played."""
        index = ROOT
        for code in played:
            index = next((child for child in self.children(index) if self.nodes[child]["action"] == code), ROOT)
            if index == ROOT:
                self.nodes[:1], self.record.node_count = 0, 1
                return
        kept, old = [index], self.nodes[: self.record.node_count].copy()
        place = {index: ROOT}
        for node in kept:
            for child in self.children(node):
                place[child] = len(kept)
                kept.append(child)
        for new, node in enumerate(kept):
            self.nodes[new] = old[node]
        for new in range(len(kept)):
            for link in ("child", "sibling"):
                self.nodes[new][link] = place.get(int(self.nodes[new][link]), ROOT)
        self.nodes[ROOT]["sibling"] = ROOT
        self.record.node_count = len(kept)

    # ------------------------------------------------------------------------------------------------ the tree

    def children(self, index: int) -> list[int]:
        """Numbers of a tree node's children."""
        found, child = [], int(self.nodes[index]["child"])
        while child != ROOT:
            found.append(child)
            child = int(self.nodes[child]["sibling"])
        return found

    def tree_line(self) -> list[int]:
        """Actions along the highest means of the statistical tree."""
        line, index = [], ROOT
        while children := self.children(index):
            index = max(children, key=lambda i: (self.nodes[i]["total"] / max(self.nodes[i]["visits"], 1e-300), -i))
            line.append(int(self.nodes[index]["action"]))
        return line


def genome_reach(game: Game, settings: RHEAParameters) -> tuple[Reach, int]:
    """How far genomes go in a game, and how many genes they have.

    Args:
        game: The scenario.
        settings: The planner's parameters.
    """
    reach = reach_of(game, settings.horizon, game.players == 1)
    width = settings.length if reach.kind == GAME else max(settings.length, reach.capacity)
    if reach.kind == ACTIONS:
        width = reach.count
    elif isinstance(settings.horizon, int):
        width = min(width, settings.horizon)
    return reach, width


def _value_slots(settings: RHEAParameters, actions: int) -> int:
    """Slots of each place's value table (40 bytes each), a power of two.

    There are four to eight times as many slots as entries, so that probing is short. Diversity mutation counts the
    actions of one generation, at most ``population`` at a place: less than 8 * ``population`` slots. Bandit mutation
    keeps what it has learnt about the game's actions, with room for 1024 of them: at most 4096 slots.
    """
    if settings.mutation_operator not in ("diversity", "bandit"):
        return 1
    entries = settings.population if settings.mutation_operator == "diversity" else min(actions, _MOST_VALUES // 4)
    return 1 << (4 * entries - 1).bit_length()


def _form(settings: RHEAParameters, problem: Problem) -> PopulationRecord:
    """A population without arrays that has the planner's parameters."""
    r = PopulationRecord()
    r.best_survive = settings.survivors == "best"
    r.elites, r.tournament = settings.elites, settings.tournament
    r.crossover, r.mutation_operator = _CROSSOVERS[settings.crossover], _MUTATIONS[settings.mutation_operator]
    r.mutation_probability = settings.mutation_probability
    by_gene = settings.mutation_operator in ("uniform", "local")
    r.each_gene = by_gene if settings.mutation_scope == "auto" else settings.mutation_scope == "gene"
    r.fresh_policy = settings.fresh == "policy"
    if settings.rollouts > 0:
        r.keep("rollouts", everyone(r.rollout[0], problem))
    r.reevaluate = _REEVALUATE[settings.reevaluate]
    r.rollouts, r.rollout_length = settings.rollouts, settings.rollout_length or UNLIMITED
    r.rollout_weight, r.greedy_probability = settings.rollout_weight, settings.greedy_probability
    r.exploration, r.tree_depth = settings.exploration, settings.tree_depth
    settle(r, problem, settings, settings.repair)
    settle_crossover(r, settings)
    return r
