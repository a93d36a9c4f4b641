"""Rolling horizon evolution: a population of action sequences that moves on with the game."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator
from typing_extensions import TypeVar

from turnwise.core.budget import UNLIMITED, Budget
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.cache import announce, compiled_together
from turnwise.planners.rhea.islands import FUNCTIONS
from turnwise.planners.rhea.memory import LEAST_TREE, MOST_TREE, Population, genome_reach, within_limits
from turnwise.planners.rhea.search import evolve
from turnwise.search.alignment import CrossoverParameters
from turnwise.search.horizon import HorizonValue
from turnwise.search.islands import evolve_islands
from turnwise.search.memory_limit import MemoryParameters
from turnwise.search.parameters import PolicyText, RankingParameters, ReplyParameters, StreamParameters
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.streams import Streams, memories
from turnwise.search.turn_rating import RatingRollouts, TurnRating
from turnwise.search.variable_length import REPAIR_WORDS, Repair, VariableLengthParameters


class RHEAParameters(
    MemoryParameters, CrossoverParameters, VariableLengthParameters, ReplyParameters, RankingParameters
):
    """Parameters of :class:`RHEA`; the defaults are those of the thesis for Search Race."""

    entries: ClassVar[tuple[str, ...]] = ("max_tree_nodes",)

    population: int = Field(default=100, ge=1, le=100_000, description="number of individuals")
    offspring: int = Field(default=300, ge=1, le=100_000, description="number of children in a generation")
    length: int = Field(
        default=20, ge=1, le=10_000, description="genes of an individual, that is, the number of actions it looks ahead"
    )
    horizon: HorizonValue = Field(
        default="auto",
        description="how far genomes go: own-turn, actions=n, turns=n, game (up to ``length`` genes); a number: at "
        "most so many actions; auto: game with one player, else own-turn",
    )
    elites: int = Field(
        default=20, ge=0, le=100_000, description="number of best individuals that survive with their fitness"
    )
    survivors: Literal["children", "best"] = Field(
        default="children",
        description="who fills the next population after the elites: the best children, or the best of parents and "
        "children (equal children come first)",
    )
    tournament: int = Field(
        default=5, ge=1, le=10_000, description="number of individuals drawn for a parent; the best wins"
    )
    crossover: Literal["one-point", "uniform", "none"] = Field(
        default="uniform", description="how two parents' genes are mixed; none: one parent's genes"
    )
    mutation_operator: Literal["uniform", "diversity", "bandit", "local"] = Field(
        default="diversity",
        description="a mutated gene becomes a random action, the one least used at its place, the one that bandits "
        "over places and actions choose, or an action close to it",
    )
    mutation_probability: float = Field(default=0.15, ge=0, le=1, description="probability of mutation")
    mutation_scope: Literal["auto", "gene", "individual"] = Field(
        default="auto",
        description="whether that probability is for each gene, or for one gene of an individual; auto: each gene for "
        "uniform and local mutation",
    )
    repair: Literal["nearest", Repair] = Field(
        default="nearest",
        description="how an illegal gene is replaced; nearest: by the closest legal action where the game has a "
        f"distance, else by a random one; {REPAIR_WORDS}",
    )
    shift: bool = Field(default=True, description="keep the population for the next turn, without the genes played")
    reevaluate: Literal["auto", "always", "never"] = Field(
        default="auto",
        description="whether elites are assessed again in every generation and averaged; auto: those in which chance "
        "took part",
    )
    fresh: Literal["candidates", "policy"] = Field(
        default="candidates",
        description="random genes: uniform over the pruned legal actions, or drawn by the rollout policy",
    )
    rollouts: int = Field(default=0, ge=0, le=10_000, description="rollouts after the genes for each assessment")
    rollout_length: int = Field(default=10, ge=0, description="actions of a rollout; 0: to the end of the game")
    rollout_weight: float = Field(
        default=1.0,
        ge=0,
        le=1,
        description="weight of the rollouts in the fitness; the rest is the value after the genes",
    )
    policy: PolicyText = Field(default="uniform", description="rollout policy")
    greedy_probability: float = Field(
        default=0.5, ge=0, le=1, description="probability of the best-scored action (epsilon-greedy)"
    )
    exploration: float = Field(default=1.4142, ge=0, description="C of bandit mutation's upper confidence bounds")
    tree_depth: int = Field(
        default=0,
        ge=0,
        le=10_000,
        description="depth of the statistical tree that decides; 0: the best individual does",
    )
    max_tree_nodes: int = Field(
        default=1 << 16,
        ge=LEAST_TREE,
        le=MOST_TREE,
        description="maximum number of nodes of the statistical tree (40 bytes each)",
    )
    discount: float = Field(
        default=0.99, gt=0, le=1, description="factor for the statistics of tree and bandits at every shift"
    )

    @model_validator(mode="after")
    def _elites_leave_room(self) -> RHEAParameters:
        if self.elites >= self.population and self.population > 1:
            raise ValueError(f"elites ({self.elites}) must be fewer than population ({self.population})")
        return self

    @model_validator(mode="after")
    def _bandits_learn_from_one_gene(self) -> RHEAParameters:
        if self.mutation_operator == "bandit" and self.mutation_scope == "gene":
            raise ValueError(
                "mutation-operator=bandit chooses one gene of an individual: mutation-scope must not be gene"
            )
        return self


class IslandParameters(StreamParameters, RHEAParameters):
    """Parameters of rolling horizon evolution on islands."""

    migration: int = Field(
        default=10, ge=1, description="generations from one migration between streams to the next; best genomes migrate"
    )


ParametersT_co = TypeVar("ParametersT_co", bound=IslandParameters, default=IslandParameters, covariant=True)


class RHEA(SearchPlanner[ParametersT_co]):
    """Evolve sequences of actions, play the first action of the best one, shift the population, repeat.

    Fitness is the evaluation of the state after the genes (earlier if the game ends), or a mixture of that and
    ``rollouts``. Each generation makes ``offspring`` children: two tournament winners, crossover, mutation, assessment.
    The next population is the ``elites`` and the best children, filled up with further best parents. Genes are actions;
    one that is illegal when it is played is permanently replaced by the closest legal action if the game offers a
    distance, else by a random one.

    By default a genome can span several turns in a single-player game, and with several players it is played up to the
    end of the current turn (and is at least as long as the longest turn); ``rollouts`` then continue with both sides.
    ``horizon`` and ``reply`` let genomes go on beyond the turn while the other seats move. Where chance takes part in a
    genome, it is open loop with repair; as an elite it is assessed again and averaged.

    A session keeps the population: if the best line led to the new state, the genes played are dropped, random ones are
    appended and every individual is assessed again, the previous best first; in any other state the search starts from
    random individuals. Where genomes go on after the turn of several players, the genes after the own turn are kept in
    any case. In worlds that are drawn where information is hidden, the population of each goes on by the actions that
    were really played.

    With several ``streams`` there is one population for each, an island; islands form a ring, and after every
    ``migration`` generations each sends its best genome to the next one (with a limit of time, without waiting for the
    others). All follow the line that was decided on.

    Source: Kowalczyk and Stefaniak 2022, chapters 2 and 4 (``samegame`` and ``search-race`` presets; the text leaves
    open what diversity mutation is, how children replace parents, the scope of mutation, repair); Perez, Samothrakis,
    Lucas, Rohlfshagen 2013; enhancements: Gaina, Lucas, Perez-Liebana 2017 (shift buffer, rollouts, statistical tree,
    bandit mutation). Additions of turnwise: ``mutation_operator=local``,
    ``crossover=none``, ``fresh=policy``, ``mutations``, ``alignment``, ``repair``, ``horizon``, ``reply``.

    Cost: up to ``length`` forward calls and tests of legality and one evaluation for each child (more with rollouts);
    details: generations, repaired (genes that were replaced), horizon (genes of the best line), shifted (1
    if the population came from the previous turn).
    """

    name: ClassVar[str] = "rhea"
    title: ClassVar[str] = "Rolling horizon evolution"
    source: ClassVar[str] = "Kowalczyk & Stefaniak, Combining Evolutionary Algorithms with MCTS for Game AI, 2022"
    iteration: ClassVar[str] = "one generation"
    value_of = "the genome's end"
    remembers_worlds: ClassVar[bool] = True
    keeps_memory: ClassVar[bool] = True

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem with evaluation and rollout policy."""
        settings = self.parameters
        problem = Problem(state, budget, seed, settings.evaluation, settings.policy, (settings.greedy_probability,))
        problem.record.count_own = settings.count == "own"
        return problem

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`."""
        return rating_of(game, self.parameters)

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        settings = within_limits(self.parameters, problem.game, self.number_of_worlds(problem.game))
        planned = memory.get("planned", []) if settings.shift else []
        with Streams(problem, budget, settings, lambda b, s: self.prepared(problem.state, b, s)) as streams:
            parts = memories(memory, settings.streams)
            made = [population_for(p, settings, m, planned) for p, m in zip(streams.problems, parts, strict=True)]
            islands = [population for population, _ in made]
            problem.observe(lambda most: lines_so_far(islands, most))
            if streams.count == 1:
                announce(evolve, self.title.lower())
                evolve(problem.record, islands[0].record)
            else:
                with compiled_together(f"{self.title.lower()} in islands"):
                    evolve_islands(streams, FUNCTIONS, [island.record for island in islands], settings.migration)
        line = self._answer(problem, islands, any(shifted for _, shifted in made))
        memory["planned"] = line.codes
        return line

    def _answer(self, problem: Problem, islands: list[Population], shifted: bool) -> Line:
        if problem.findings is not None:
            for population in islands:
                population.show(problem.findings)
        decisions = [population.decision(self.parameters.tree_depth > 0) for population in islands]
        value, line = max(decisions, key=lambda one: -math.inf if one[0] is None else one[0])
        figures = {
            "generations": float(problem.record.iterations),
            "repaired": sum(population.take_repaired() for population in islands),
            "horizon": float(len(line)),
            "shifted": float(shifted),
        }
        wanted = self.parameters.alternatives if problem.wants_alternatives else 0
        others = list(islice(other_turns(problem.state, islands, line), wanted)) if wanted else []
        return Line(line, value, others, figures)


def lines_so_far(islands: list[Population], most: int) -> list[tuple[list[int], float]]:
    """The best lines of several populations together; see :meth:`.Population.lines_so_far`."""
    return sorted(chain(*(island.lines_so_far(most) for island in islands)), key=lambda line: -line[1])


def population_for(
    problem: Problem, settings: RHEAParameters, memory: dict[str, Any], planned: list[int]
) -> tuple[Population, bool]:
    """The population to search with: the last one moved on if what was planned led here, else a new one.

    Args:
        problem: The search problem.
        settings: The planner's parameters.
        memory: The session's memory; the population is kept in it.
        planned: What the last decision planned to play; empty: the last population is not used.

    Returns:
        The population, attached to the problem, and whether it has been shifted.
    """
    kept: Population | None = memory.get("population")
    if kept is not None and planned and kept.follow(problem, planned, settings.discount):
        return kept, True
    kept = memory["population"] = None  # released before the new one is allocated
    kind = (Population, settings)
    population = problem.memory(kind, lambda: Population(problem, settings))
    population.attach(problem)
    memory["population"] = population
    return population, False


def rating_of(game: Game, settings: RHEAParameters) -> TurnRating:
    """How turns are rated in several worlds: lines go as far as genomes, and rollouts follow as in their fitness."""
    reach, width = genome_reach(game, settings)
    rollouts = RatingRollouts(settings.rollouts, None, settings.rollout_length or UNLIMITED, settings.rollout_weight)
    return TurnRating(
        replace(reach, capacity=width),
        settings.reply,
        rollouts if settings.rollouts > 0 else None,
        settings.greedy_probability,
    )


def other_turns(state: State, islands: list[Population], line: list[int]) -> Iterator[tuple[list[int], float]]:
    """Turns other than the one that a line begins with, each with the fitness of the best individual that plays it."""
    ends_with_turn = state.game.players > 1 and not islands[0].goes_beyond_turn
    seen = {tuple(turn_of(state, line, ends_with_turn))}
    ranked = islands[0].individuals()
    if len(islands) > 1:
        ranked = iter(sorted(chain(*(island.individuals() for island in islands)), key=lambda one: -one[0]))
    for fitness, codes in ranked:
        if fitness == -math.inf:
            return
        turn = tuple(turn_of(state, codes, ends_with_turn))
        if turn not in seen:
            seen.add(turn)
            yield list(turn), fitness


def turn_of(state: State, line: list[int], ends_with_turn: bool) -> list[int]:
    """The part of a line that belongs to the turn in progress; ``ends_with_turn``: kernels have stopped there."""
    if state.game.max_turn == 1 or ends_with_turn:
        return line[: state.game.max_turn]
    now = state
    for count, code in enumerate(line):
        if (now.to_move, now.turn) != (state.to_move, state.turn) or not now.is_legal(code):
            return line[:count]
        now = now.play(code)
    return line
