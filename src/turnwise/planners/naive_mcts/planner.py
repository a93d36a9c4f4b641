"""Planners that choose whole turns as combinations of one choice, or several, for each actor: naive MCTS and LSI."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from turnwise.core.budget import Budget
from turnwise.core.fields import normaliser
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.planners.naive_mcts.bandits import EPSILON_GREEDY
from turnwise.planners.naive_mcts.key_table import NONE
from turnwise.planners.naive_mcts.kinds import kinds_of, normal_kinds
from turnwise.planners.naive_mcts.lsi import draw_turns, generate, rank_actors, rate_turns
from turnwise.planners.naive_mcts.memory import MOST_ARMS, MOST_CHOICES, NaiveMemory, memory_for, within_limits
from turnwise.planners.naive_mcts.search import arm_after, search
from turnwise.planners.naive_mcts.tree import NaiveTree
from turnwise.planners.naive_mcts.turns import LISTED, RANKED, SHUFFLED
from turnwise.search.memory_limit import MemoryParameters
from turnwise.search.parameters import PolicyText, SearchParameters, rollout_policy
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.state_values import note_best
from turnwise.search.team import PortfolioText, problem_with_portfolio
from turnwise.search.turn_rating import RatingRollouts, TurnRating

KindsText = Annotated[str, AfterValidator(normaliser(normal_kinds))]


class TurnSamplingParameters(MemoryParameters, SearchParameters):
    """Parameters of the planners that sample turns."""

    entries: ClassVar[tuple[str, ...]] = ("max_arms", "max_choices")

    choices: Literal["actions", "pruned", "scripts"] = Field(
        default="pruned",
        description="what an actor may choose besides passing: all its actions, those that the game's pruner keeps, or "
        "those of scripts",
    )
    portfolio: PortfolioText = Field(
        default="", description="the scripts, separated by commas; empty: those that the game names"
    )
    kinds: KindsText = Field(
        default="",
        description="other scripts for some kinds of actors (choices=scripts): KIND:SCRIPT,...;KIND:SCRIPT,..., with "
        "the game's numbers of kinds; 'game': those that the game names",
    )
    unrestricted: int = Field(
        default=0, ge=0, le=10_000, description="actors that choose among all their actions (choices=scripts)"
    )
    unrestricted_by: Literal["first", "most-actions", "random", "closest"] = Field(
        default="most-actions",
        description="which actors these are, among those that can act: the first by number, those with the most "
        "actions, random ones, or those closest to an enemy (the first, in games that know no distances)",
    )
    rollout_turns: int = Field(
        default=1, ge=0, le=10_000, description="number of turns that a rollout plays after the turns of the search"
    )
    policy: PolicyText = Field(
        default="",
        description="rollout policy or script; empty: the game's 'random-heuristic' where it has one, else "
        "'epsilon-greedy'",
    )
    greedy_probability: float = Field(
        default=0.5, ge=0, le=1, description="probability of the best-scored action in built-in rollouts"
    )
    alternatives: int = Field(default=3, ge=0, le=100, description="number of other good turns to report")
    max_arms: int = Field(
        default=1 << 18, ge=2, le=MOST_ARMS, description="maximum number of turns in the tree (100 bytes each)"
    )
    max_choices: int = Field(
        default=1 << 21,
        ge=64,
        le=MOST_CHOICES,
        description="maximum number of choices in local bandits, and in all turns of the tree (64 bytes each)",
    )

    @model_validator(mode="after")
    def _scripts_where_they_matter(self) -> Self:
        if self.choices != "scripts" and (self.kinds or self.unrestricted):
            named = "kinds" if self.kinds else "unrestricted"
            raise ValueError(f"{named} needs choices=scripts; without it actors choose among their own actions")
        return self

    @property
    def needs_scripts(self) -> bool:
        """Whether the search asks scripts."""
        return self.choices == "scripts"

    @property
    def depth_limit(self) -> int:
        """Maximum number of turns in a path."""
        return 1

    @property
    def most_drawn(self) -> int:
        """Number of turns that are drawn before they are rated."""
        return 0

    def settle(self, r: NaiveTree) -> None:
        """Write what only this planner has into the record."""


class TurnSampling(SearchPlanner):
    """Base of the planners that sample turns."""

    Parameters: ClassVar[type[TurnSamplingParameters]] = TurnSamplingParameters
    loading = Budget(iterations=1)

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """See :meth:`SearchPlanner.make_problem`."""
        settings = self.parameters
        policy = rollout_policy(state.game, settings.policy)
        problem = Problem(state, budget, seed, settings.evaluation, policy, (settings.greedy_probability,))
        if settings.needs_scripts:
            for portfolio in (settings.portfolio, *map(",".join, kinds_of(state.game, settings.kinds).values())):
                problem_with_portfolio(problem, portfolio)
        return problem

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`."""
        settings = self.parameters
        rollouts = RatingRollouts.of_turns(settings.rollout_turns)
        return TurnRating(rollouts=rollouts, greedy_probability=settings.greedy_probability)

    def answer(self, problem: Problem, memory: NaiveMemory, best: int) -> Line:
        """The turn of an arm of the root (NONE: nothing), with other turns."""
        r, figures = memory.record, memory.figures()
        if best == NONE:
            return Line([], details=figures)
        alternatives, other = [], best
        for _ in range(self.parameters.alternatives if problem.wants_alternatives else 0):
            other = int(arm_after(r, other))
            if other == NONE:
                break
            alternatives.append((memory.codes(other), float(r.arms[other].mean)))
        return Line(memory.codes(best), float(r.arms[best].mean), alternatives, figures)


class NaiveMCTSParameters(TurnSamplingParameters):
    """Parameters of :class:`NaiveMCTS`."""

    explore: float = Field(
        default=0.4, ge=0, le=1, description="epsilon_0: probability that actors choose instead of the best known turn"
    )
    local_epsilon: float = Field(default=0.3, ge=0, le=1, description="epsilon_l: probability of a random choice")
    global_epsilon: float = Field(
        default=0.0, ge=0, le=1, description="epsilon_g: probability of a random known turn instead of the best one"
    )
    order: Literal["random", "listed"] = Field(
        default="random", description="in which order actors commit themselves: at random, or as the game lists them"
    )
    guidance: float = Field(
        default=0.0, ge=0, le=1, description="probability that a choice is that of a random script of the portfolio"
    )
    first: Literal["choices", "script"] = Field(
        default="choices", description="how the first turn of a node is made: by choices, or by one random script"
    )
    depth: int = Field(default=10, ge=1, le=1000, description="longest path of a simulation in turns")
    backup: Literal["mean", "best-reply"] = Field(
        default="mean",
        description="what a turn is worth: the mean of its simulations, or the best turn that is known after it",
    )
    final: Literal["visits", "value"] = Field(
        default="visits", description="which turn is played: the most visited one, or that with the highest value"
    )

    @property
    def needs_scripts(self) -> bool:
        """See :attr:`TurnSamplingParameters.needs_scripts`."""
        return self.choices == "scripts" or self.guidance > 0 or self.first == "script"

    @property
    def depth_limit(self) -> int:
        """See :attr:`TurnSamplingParameters.depth_limit`."""
        return self.depth

    def settle(self, r: NaiveTree) -> None:
        """See :meth:`TurnSamplingParameters.settle`."""
        r.rule, r.order = EPSILON_GREEDY, LISTED if self.order == "listed" else SHUFFLED
        r.explore, r.local_epsilon, r.global_epsilon = self.explore, self.local_epsilon, self.global_epsilon
        r.guidance, r.first_script, r.depth = self.guidance, self.first == "script", self.depth
        r.best_reply, r.by_value = self.backup == "best-reply", self.final == "value"


class NaiveMCTS(TurnSampling):
    """Tree search over whole turns, which are sampled actor by actor from local bandits.

    A node is a state in which a turn begins. With probability ``explore`` its actors choose one after the other, each
    by a bandit over its own actions and the pass; otherwise the best turn that is known in the node is played again.
    All turns of a simulation and all choices in them get its value. The number of combinations does not matter, under
    the assumption that a turn is worth about what its choices are worth one by one.

    With ``choices=scripts`` actors choose among scripts (preset ``a1n``), those of a portfolio for their kind
    (``kinds``, preset ``a2n``), or some of them among all their actions (``unrestricted``, preset ``a3n``);
    ``guidance`` and ``first=script`` let scripts propose turns (preset ``gns``). All parts can be combined.

    Source: Ontañón, The Combinatorial Multi-Armed Bandit Problem and Its Application to Real-Time Strategy Games, 2013;
    Combinatorial Multi-Armed Bandits for Real-Time Strategy Games, 2017. A1N to A3N: Moraes, Mariño, Lelis &
    Nascimento, Action Abstractions for Combinatorial Multi-Armed Bandit Tree Search, 2018. The division into parts:
    Lelis, Planning Algorithms for Zero-Sum Games with Exponential Action Spaces: A Unifying Perspective, 2020.
    Deviations: turns of one outcome are one turn; actors act one after the other, each as often as it likes; players
    move in turns, so the reply is a node of its own.

    Cost: forward calls of whole turns and rollouts, one evaluation per iteration; details: nodes, turns and choices
    (arms of global and local bandits), max_depth (in turns), tree_full.
    """

    name = "naive-mcts"
    title = "Naive MCTS"
    source = "Ontañón, Combinatorial Multi-Armed Bandits for Real-Time Strategy Games, 2017"
    iteration = "one simulation"
    Parameters: ClassVar[type[NaiveMCTSParameters]] = NaiveMCTSParameters
    presets = {  # noqa: RUF012
        "a1n": {"choices": "scripts"},
        "a2n": {"choices": "scripts", "kinds": "game"},
        "a3n": {"choices": "scripts", "unrestricted": 1, "unrestricted_by": "closest"},
        "gns": {"guidance": 0.3, "first": "script"},
    }

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        announce(search, "naive MCTS")
        tree = memory_for(problem, budget, within_limits(self.parameters, problem.game))
        best = search(problem.record, tree.record)
        return self.answer(problem, tree, int(best))


class LSIParameters(TurnSamplingParameters):
    """Parameters of :class:`LSI`."""

    generation: float = Field(
        default=0.25, ge=0, le=1, description="share of the budget in which choices are rated by random turns"
    )
    turns: int = Field(default=16, ge=1, le=10_000, description="turns that are drawn by the choices' weights")
    sharpness: float = Field(default=1.0, ge=0, le=100, description="exponent of the weights; 0: all are equal")
    order: Literal["entropy", "random", "listed"] = Field(
        default="entropy",
        description="in which order actors commit themselves when turns are drawn: by the entropy of their weights, at "
        "random, or as the game lists them",
    )

    @property
    def most_drawn(self) -> int:
        """See :attr:`TurnSamplingParameters.most_drawn`."""
        return self.turns

    def settle(self, r: NaiveTree) -> None:
        """See :meth:`TurnSamplingParameters.settle`."""
        r.order = {"entropy": RANKED, "random": SHUFFLED, "listed": LISTED}[self.order]
        r.depth, r.sharpness = 1, self.sharpness


class LSI(TurnSampling):
    """Linear side information: rate single choices, draw turns by them, keep the better half again and again.

    In the first phase, a ``generation`` share of the budget, random turns are played; each choice gets the values of
    its turns. Then ``turns`` different turns are drawn, each choice with a probability in proportion to its mean above
    the actor's lowest one. The rest of the budget is spent on them in rounds of equal shares, after each of which the
    better half stays.

    Source: Shleyfman, Komenda & Domshlak, On Combinatorial Actions and CMABs with Linear Side Information, 2014.
    Deviations: the number of drawn turns is a parameter; a choice that was never rated has half of the highest weight;
    only the actors' first choices decide the order.

    Cost: forward calls of whole turns and rollouts, one evaluation per iteration; details: turns (drawn), choices,
    generated (turns played in the first phase), rounds, tree_full.
    """

    name = "lsi"
    title = "LSI"
    source = "Shleyfman, Komenda & Domshlak, On Combinatorial Actions and CMABs with Linear Side Information, 2014"
    iteration = "one turn rated"
    Parameters: ClassVar[type[LSIParameters]] = LSIParameters

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        announce(generate, "linear side information")
        given: LSIParameters = self.parameters
        settings, p = within_limits(given, problem.game), problem.record
        tree = memory_for(problem, budget, settings)
        r = tree.record
        problem.limit(budget.scaled(settings.generation))
        generate(p, r)
        generated = p.iterations
        problem.limit(budget)
        rank_actors(p, r)
        draw_turns(p, r, settings.turns)
        left = drawn = tree.arm_keys.count
        rounds = max(1, (drawn - 1).bit_length())
        for number in range(1, rounds + 1):
            rest = (1.0 - settings.generation) * (rounds - number) / rounds
            problem.limit(budget.scaled(1.0 - rest))
            rate_turns(p, r, left)
            left = (left + 1) // 2
        best = r.alive[0] if drawn and r.arms[r.alive[0]].visits > 0 else NONE
        if best != NONE:
            note_best(p, r.arms[best].mean)
        line = self.answer(problem, tree, int(best))
        line.details = {name: line.details[name] for name in ("turns", "choices", "tree_full")}
        line.details |= {"generated": float(generated), "rounds": float(rounds)}
        return line
