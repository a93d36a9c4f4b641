"""Online evolution: a population of whole turns, evolved during the turn."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator
from typing_extensions import TypeVar

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.cache import announce, compiled_together
from turnwise.planners.online_evolution.islands import FUNCTIONS
from turnwise.planners.online_evolution.memory import (
    LEAST_OUTCOMES,
    MOST_OUTCOMES,
    TurnPopulationMemory,
    distinct_outcomes,
    distinct_turns,
    population_for,
    within_limits,
)
from turnwise.planners.online_evolution.search import evolve
from turnwise.search.alignment import CrossoverParameters
from turnwise.search.islands import evolve_islands
from turnwise.search.known_line import steps_between
from turnwise.search.memory_limit import MemoryParameters
from turnwise.search.parameters import (
    ROLLOUT_GREEDINESS,
    ROLLOUT_POLICY,
    PolicyText,
    RankingParameters,
    StreamParameters,
    rollout_policy,
)
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.streams import Streams
from turnwise.search.turn_genomes import TurnParameters
from turnwise.search.turn_rating import RatingRollouts, TurnRating
from turnwise.search.turn_replies import TurnReplyParameters
from turnwise.search.variable_length import REPAIR_WORDS, Repair

Pairing = Literal["random", "each", "tournament"]
Diversity = Literal["none", "distinct", "crowding", "clearing", "tabu"]
PAIRING = (
    "parents: two different random survivors, each survivor with a random other one, or the winners of two tournaments "
    "of survivors"
)
GREEDY_SEED = "whether the first population has a greedy turn, of the best-rated actions one after the other"
CARRY = "whether the first population begins with what the last decision of the same turn has left to be played"
DIVERSITY = (
    "how genomes are kept apart; distinct: only one genome of each outcome survives; clearing: only the best genomes "
    "of each niche; crowding: a child competes with the parent that it resembles more; tabu: children whose outcome "
    "was seen lately are dropped"
)


class OnlineEvolutionParameters(
    MemoryParameters, StreamParameters, TurnReplyParameters, CrossoverParameters, TurnParameters, RankingParameters
):
    """Parameters of :class:`OnlineEvolution`."""

    entries: ClassVar[tuple[str, ...]] = ("table",)

    population: int = Field(default=100, ge=2, le=100_000, description="number of genomes in a population")
    survivors: float = Field(
        default=0.5,
        gt=0,
        lt=1,
        description="share of the population that survives and breeds, at least one genome; the children of only one "
        "are copies of it before they are mutated",
    )
    mutation_probability: float = Field(default=0.1, ge=0, le=1, description="probability that an offspring is mutated")
    pairing: Pairing = Field(default="random", description=PAIRING)
    tournament: int = Field(
        default=5, ge=1, le=1000, description="survivors in a tournament, of which the best wins (pairing=tournament)"
    )
    mutants: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="share of the free places that get mutants of the best genome instead of children",
    )
    newcomers: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="share of the free places that get random turns instead of children (random immigrants)",
    )
    greedy_seed: bool = Field(default=False, description=GREEDY_SEED)
    carry: bool = Field(default=False, description=CARRY)
    representation: Literal["actions", "permutation", "keys", "descriptors"] = Field(
        default="actions",
        description="what is inherited: actions; permutation: the order in which all possible actions are tried; "
        "keys: for each action a number from 0 to 1, its place in the list of actions, sorted by score; descriptors: "
        "who acts and what it does, resolved in the state in which it acts",
    )
    pool: int = Field(
        default=512,
        ge=4,
        le=10_000,
        description="possible actions of a turn for which there is room (representation=permutation)",
    )
    diversity: Diversity = Field(default="none", description=DIVERSITY)
    niche: int = Field(
        default=2,
        ge=0,
        le=10_000,
        description="two genomes are in one niche if fewer actions than this are in one of them only "
        "(diversity=clearing)",
    )
    niche_winners: int = Field(
        default=1, ge=1, le=1000, description="genomes of a niche that survive (diversity=clearing)"
    )
    tenure: int = Field(
        default=0,
        ge=0,
        le=1_000_000,
        description="number of assessments for which an outcome is tabu; 0: the size of the population "
        "(diversity=tabu)",
    )
    repair: Repair = Field(
        default="random",
        description="how an illegal gene is replaced after a mutation, and, if it is greedy or by order, in crossover "
        "where the parents have no legal one; "
        f"{REPAIR_WORDS}",
    )
    mutate_end: bool = Field(default=False, description="whether a forced end of the turn can be mutated")
    material: bool = Field(
        default=True,
        description="whether genes after the end of a shorter turn are kept as material for crossover (introns)",
    )
    fitness: Literal["static", "rollout"] = Field(
        default="static", description="value of an outcome: its evaluation, or the mean evaluation after rollouts"
    )
    rollouts: int = Field(default=1, ge=1, le=10_000, description="rollouts per evaluation (fitness=rollout)")
    rollout_turns: int = Field(default=1, ge=0, description="number of turns that a rollout plays (fitness=rollout)")
    policy: PolicyText = ROLLOUT_POLICY
    greedy_probability: float = ROLLOUT_GREEDINESS
    combine: Literal["auto", "worst", "mean"] = Field(
        default="auto",
        description="which of several evaluations of a genome counts: the worst, or their mean; auto: the mean for a "
        "static fitness, else the worst",
    )
    history: bool = Field(
        default=True,
        description="whether the worst value of an outcome counts for every genome with that outcome (fitness=rollout)",
    )
    reevaluate: bool = Field(
        default=False, description="evaluate survivors in every generation even if their value cannot change"
    )
    migration: int = Field(default=10, ge=1, description="generations from one migration along the ring to the next")
    emigrant: Literal["second-best", "second-last"] = Field(
        default="second-best", description="which genome of the ranking migrates"
    )
    table: int = Field(
        default=1 << 20,
        ge=LEAST_OUTCOMES,
        le=MOST_OUTCOMES,
        description="maximum number of outcomes that each population remembers (up to 56 bytes each)",
    )
    determinise: bool = Field(
        default=False, description="with worlds=1: draw hidden information at random, once per search"
    )

    @model_validator(mode="after")
    def _replies_or_rollouts(self) -> Self:
        if self.simulates_replies and self.fitness == "rollout":
            raise ValueError(
                f"reply={self.reply} needs fitness=static, since rollouts play the turns of the other seats; give one "
                "of them"
            )
        return self

    @model_validator(mode="after")
    def _align_actions(self) -> Self:
        if self.alignment != "index" and self.representation != "actions":
            raise ValueError(
                f"alignment={self.alignment} needs representation=actions, whose genes are actions; leave one of the "
                "two out"
            )
        return self

    @model_validator(mode="after")
    def _leave_places(self) -> Self:
        if self.mutants + self.newcomers > 1:
            raise ValueError(
                f"mutants ({self.mutants}) and newcomers ({self.newcomers}) are shares of the same places: their sum "
                "must not exceed 1"
            )
        return self

    @property
    def renews(self) -> bool:
        """Whether a generation is a new population instead of survivors and their offspring (planner ``oep``)."""
        return False


ParametersT_co = TypeVar(
    "ParametersT_co", bound=OnlineEvolutionParameters, default=OnlineEvolutionParameters, covariant=True
)


class OnlineEvolution(SearchPlanner[ParametersT_co]):
    """Evolve whole turns: keep the best half, refill by legal uniform crossover and rare mutation, play the best.

    A genome is the list of a turn's actions; fitness is the value of its outcome, the state at the end of the turn. An
    outcome is evaluated only once: survivors keep their value, and offspring with a known outcome take it from a table.
    ``fitness=rollout`` plays the opponent's turn first; survivors are then evaluated in every generation and keep the
    worst value seen, which with ``history`` holds for every genome with the same outcome.
    Generation 1 makes the first population; every further one breeds, evaluates and ranks. If the
    budget runs out within a generation, its finished offspring count; an unfinished one is dropped.

    Under a budget of evaluations alone the search also ends ("done") after 200 generations without a new outcome, as
    known ones cost no evaluation.

    Turns of variable length: a genome is decoded until the turn ends; one that is too short is completed with random
    pruned actions, and genes after the end are kept as material (``material``); ``mutations``, ``alignment`` and
    ``repair`` choose operators that change lengths, ``cap`` and ``ends`` when turns end. ``representation`` lets other
    codes be inherited than actions: the order in which all possible actions are tried (Montoliu et al. 2020), random
    keys (Bean 1994), or descriptors that are resolved where they are read. Chance: a genome in which chance took part
    is open loop (illegal
    genes are replaced when it is played); as a survivor it is played again in every generation, and its value is the
    mean over its outcomes. All other genomes are as in a game without chance.

    ``greedy_seed`` and ``carry`` put a greedy turn and the rest of the last decision's turn into the first population,
    ``mutants`` and ``newcomers`` mutants of the best turn and random turns into later ones. ``diversity`` keeps genomes
    apart (:mod:`turnwise.planners.online_evolution.diversity`).

    With several ``streams`` there is one population for each, an island. Islands form a ring; after every ``migration``
    generations each sends its ``emigrant`` to the next one, where it replaces the worst genome. Islands wait for one
    another, so the number of ``threads`` does not change the result; with a limit of time they do not, and an emigrant
    waits until the next island has ended its epoch. Counters are added up, and all limits but time are divided.

    Source: Justesen, Mahlmann, Togelius 2016, section 2.5 and Algorithm 2. Text and engine differ: the text pairs
    each survivor with a random other one and replaces a mutated turn from its first illegal action on; the engine draws
    both parents, repairs gene by gene, can "mutate" the forced end of the turn (to no effect), evaluates survivors in
    every generation, and its table of worst values has no effect. The engine's islands append an immigrant
    and drop what they send; here populations keep their size.

    Cost: up to (1 - survivors) * population * turn length forward calls and as many tests of legality per generation;
    details: generations, outcomes (distinct), new_share (of offspring), table_full; with diversity
    also unique_share (distinct outcomes in the population) and dropped (children with a tabu outcome).
    """

    name = "online-evolution"
    title = "Online evolution"
    source = "Justesen, Mahlmann & Togelius, Online Evolution for Multi-Action Adversarial Games, 2016, section 2.5"
    iteration = "one generation of one population"
    value_of = "the turn's outcome"
    remembers_worlds = True
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "oep": {
            "mutations": "exchange+insert+delete+swap",
            "pairing": "tournament",
            "greedy_seed": True,
            "carry": True,
            "diversity": "distinct",
        },
        "as-published": {
            "evaluation": "as-published",
            "worlds": 1,
            "pairing": "each",
            "repair": "tail",
            "material": False,
        },
        "as-coded": {
            "evaluation": "as-coded",
            "worlds": 1,
            "mutate_end": True,
            "material": False,
            "history": False,
            "reevaluate": True,
            "emigrant": "second-last",
            "migration": 1,
        },
    }

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem with evaluation and rollout policy."""
        settings = self.parameters
        policy = rollout_policy(state.game, settings.policy)
        return Problem(state, budget, seed, settings.evaluation, policy, (settings.greedy_probability,))

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`."""
        settings = self.parameters
        turns = settings.rollout_turns if settings.fitness == "rollout" else 0
        rollouts = RatingRollouts.of_turns(turns)
        return TurnRating(rollouts=rollouts, greedy_probability=settings.greedy_probability, replies=settings)

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        settings = within_limits(self.parameters, problem.game)
        root = problem.state
        if settings.determinise:
            root = root.determinise(root.to_move, problem.seed)
        with Streams(problem, budget, settings, lambda b, s: self.prepared(problem.state, b, s)) as streams:
            parts = zip(streams.problems, streams.budgets, strict=True)
            populations = [population_for(p, settings, b, root) for p, b in parts]
            if settings.carry:
                for population in populations:
                    population.carry(rest_of_turn(problem, memory))
            problem.observe(lambda most: distinct_turns(populations, most))
            self.evolve(problem, streams, populations)
        line = self._answer(problem, populations)
        if settings.carry:
            memory["turn"] = problem.state, line.codes
        return line

    def evolve(self, problem: Problem, streams: Streams, populations: list[TurnPopulationMemory]) -> None:
        """Run generations until the budget is spent.

        Args:
            problem: The search problem.
            streams: Its parts, one for each population.
            populations: The first populations, without genomes.
        """
        if streams.count == 1:
            announce(evolve, "online evolution")
            evolve(problem.record, populations[0].record)
            return
        with compiled_together("online evolution in islands"):
            evolve_islands(streams, FUNCTIONS, [p.record for p in populations], self.parameters.migration)

    def _answer(self, problem: Problem, populations: list[TurnPopulationMemory]) -> Line:
        if problem.findings is not None:
            for population in populations:
                rated = ((value, codes) for value, _, codes in population.turns())
                size = population.record.members
                problem.findings.add_population("population", problem.state, rated, size=size, value="fitness")
        born = sum(p.record.born for p in populations)
        figures = {"generations": float(problem.record.iterations)}
        if not self.parameters.renews:  # without a table of outcomes
            figures["outcomes"] = float(distinct_outcomes(populations))
            figures["new_share"] = sum(p.record.new for p in populations) / born if born else 0.0
            figures["table_full"] = float(any(p.record.room == 0 for p in populations))
        if self.parameters.diversity != "none":
            figures["unique_share"] = sum(p.unique_share for p in populations) / len(populations)
            figures["dropped"] = float(sum(p.record.repeats for p in populations))
        if len(populations) == 1:
            turns = populations[0].best_turns(1 + self.parameters.alternatives if problem.wants_alternatives else 1)
        else:
            turns = distinct_turns(populations, 1 + self.parameters.alternatives)
        if not turns:
            return Line(populations[0].unfinished, details=figures)
        (codes, value), *others = turns
        return Line(codes, value, others, figures)


def rest_of_turn(problem: Problem, memory: dict[str, Any]) -> list[int]:
    """What the last decision's turn has left to be played in the same turn; empty if the game has left that turn.

    Args:
        problem: The present search.
        memory: The player's memory.
    """
    if "turn" not in memory:
        return []
    state, codes = memory.pop("turn")
    if (state.to_move, state.turn) != (problem.state.to_move, problem.state.turn):
        return []
    if problem.played is not None:
        return list(codes[len(problem.played) :])
    played = steps_between(state, codes, problem.state)
    return [] if played is None else list(codes[played:])
