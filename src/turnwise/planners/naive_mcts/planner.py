"""Planners that choose whole turns as combinations of one choice, or several, for each actor: naive MCTS and LSI."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from turnwise.core.budget import Budget
from turnwise.jit.cache import announce
from turnwise.planners.naive_mcts.bandits import EPSILON_GREEDY
from turnwise.planners.naive_mcts.key_table import NONE
from turnwise.planners.naive_mcts.lsi import draw_turns, generate, rank_actors, rate_turns
from turnwise.planners.naive_mcts.memory import memory_for, within_limits
from turnwise.planners.naive_mcts.search import search
from turnwise.planners.naive_mcts.tree import NaiveTree
from turnwise.planners.naive_mcts.turn_sampling import TurnSampling, TurnSamplingParameters
from turnwise.planners.naive_mcts.turns import LISTED, RANKED, SHUFFLED
from turnwise.search.groups import grouping_of
from turnwise.search.problem import Line, Problem
from turnwise.search.state_values import note_best

FIRST_TURNS = ("choices", "script", "each-script")  # in the order of their numbers
SAMPLERS = ("bandits", "greedy", "nested", "evolution")  # likewise
_CLIMBING = {"choices": "assignment", "first": "each-script"}


class NaiveMCTSParameters(TurnSamplingParameters):
    """Parameters of :class:`NaiveMCTS`."""

    choices: Literal["actions", "pruned", "scripts", "assignment"] = Field(  # type: ignore[assignment]
        default="pruned",
        description="what an actor may choose besides passing: all its actions, those that the game's pruner keeps, or "
        "those of scripts; assignment: a script that decides its whole turn, the same for its group",
    )
    groups: Literal["actor", "kind", "all"] = Field(
        default="actor",
        description="what has one script (choices=assignment): every actor, all of a kind (and stratum of health), all "
        "of a seat",
    )
    strata: int = Field(
        default=1,
        ge=1,
        le=1000,
        description="groups=kind: steps of full health by which groups tell actors of a kind apart; 1: health makes "
        "no difference",
    )
    sampler: Literal["bandits", "greedy", "nested", "evolution"] = Field(
        default="bandits",
        description="how a turn is made (others than bandits: choices=assignment): local bandits; the best known turn "
        "with another script for one group, as in portfolio greedy search; the same, whose replies are searched before "
        "the next turn is made, as in nested greedy search; crossover and mutation of known turns",
    )
    tournament: int = Field(
        default=3,
        ge=0,
        le=1000,
        description="sampler=evolution: known turns of which the best one becomes a parent; 0: the best of all is "
        "both parents",
    )
    mutation_probability: float = Field(
        default=0.1, ge=0, le=1, description="sampler=evolution: probability that a group gets a random script"
    )
    explore: float = Field(
        default=0.4, ge=0, le=1, description="epsilon_0: probability that a turn is made instead of the best known turn"
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
    first: Literal["choices", "script", "each-script"] = Field(
        default="choices",
        description="how the first turns of a node are made: by choices (with other samplers than bandits, random "
        "ones); by one random script; by each script of the portfolio in turn",
    )
    depth: int = Field(default=10, ge=1, le=1000, description="longest path of a simulation in turns")
    backup: Literal["mean", "best-reply"] = Field(
        default="mean",
        description="what a turn is worth: the mean of its simulations, or the best turn that is known after it",
    )
    final: Literal["visits", "value"] = Field(
        default="visits", description="which turn is played: the most visited one, or that with the highest value"
    )

    @model_validator(mode="after")
    def _parts_fit_together(self) -> Self:
        if fault := _fault(self):
            raise ValueError(fault)
        return self

    @property
    def needs_scripts(self) -> bool:
        """See :attr:`TurnSamplingParameters.needs_scripts`."""
        return self.chooses_scripts or self.guidance > 0 or self.first != "choices"

    @property
    def chooses_scripts(self) -> bool:
        """See :attr:`TurnSamplingParameters.chooses_scripts`."""
        return self.choices == "scripts" or self.plays_assignments

    @property
    def plays_assignments(self) -> bool:
        """See :attr:`TurnSamplingParameters.plays_assignments`."""
        return self.choices == "assignment"

    @property
    def climbs(self) -> bool:
        """See :attr:`TurnSamplingParameters.climbs`."""
        return self.sampler != "bandits" or self.first == "each-script"

    @property
    def depth_limit(self) -> int:
        """See :attr:`TurnSamplingParameters.depth_limit`."""
        return self.depth

    def settle(self, r: NaiveTree) -> None:
        """See :meth:`TurnSamplingParameters.settle`."""
        r.rule, r.order = EPSILON_GREEDY, LISTED if self.order == "listed" else SHUFFLED
        r.explore, r.local_epsilon, r.global_epsilon = self.explore, self.local_epsilon, self.global_epsilon
        r.sampler, r.first, r.climbing = SAMPLERS.index(self.sampler), FIRST_TURNS.index(self.first), self.climbs
        r.grouping, r.strata = grouping_of(self.groups, self.strata), self.strata
        r.tournament, r.mutation_probability = self.tournament, self.mutation_probability
        r.guidance, r.depth = self.guidance, self.depth
        r.best_reply, r.by_value = self.backup == "best-reply", self.final == "value"


def _fault(given: NaiveMCTSParameters) -> str:
    """What is wrong with a combination of parts, and its remedy; empty: nothing."""
    of_assignments = {
        "sampler": given.sampler if given.sampler != "bandits" else None,
        "groups": given.groups if given.groups != "actor" else None,
    }
    for name, value in of_assignments.items():
        if value is not None and given.choices != "assignment":
            return f"{name}={value} needs choices=assignment, where groups of actors have scripts; got {given.choices}"
    if given.strata > 1 and given.groups != "kind":
        return f"strata={given.strata} needs groups=kind, whose groups health tells apart; got groups={given.groups}"
    if given.kinds and given.groups == "all":
        return "kinds needs groups=actor or groups=kind; with groups=all actors of all kinds have one script"
    if given.guidance > 0 and given.choices == "assignment":
        return "guidance needs single choices of actors; with choices=assignment every turn is made of scripts anyway"
    if given.sampler == "nested" and (given.depth < 2 or given.backup != "best-reply"):
        return (
            "sampler=nested needs backup=best-reply and a depth of 2 or more, since it rates a turn by the best reply; "
            f"got backup={given.backup}, depth={given.depth}"
        )
    return ""


class NaiveMCTS(TurnSampling[NaiveMCTSParameters]):
    """Tree search over whole turns, which are sampled actor by actor from local bandits.

    A node is a state in which a turn begins. With probability ``explore`` its actors choose one after the other, each
    by a bandit over its own actions and the pass; otherwise the best turn that is known in the node is played again.
    All turns of a simulation and all choices in them get its value. The number of combinations does not matter, under
    the assumption that a turn is worth about what its choices are worth one by one.

    With ``choices=scripts`` actors choose among scripts (preset ``a1n``), those of a portfolio for their kind
    (``kinds``, preset ``a2n``), or some of them among all their actions (``unrestricted``, preset ``a3n``);
    ``guidance`` and ``first=script`` let scripts propose turns (preset ``gns``).

    With ``choices=assignment`` a turn is an assignment of scripts to groups of actors. Then ``sampler`` decides how the
    next one is made: by a local bandit for each actor or kind of actor (preset ``typed``), by a step of portfolio
    greedy search (``greedy``) or of nested greedy search (``nested``), or by crossover and mutation (``evolution``).
    All parts can be combined; portfolio greedy search and its relatives are among the combinations.

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
    value_of = "the turn, mean of its simulations"
    presets = {  # noqa: RUF012
        "a1n": {"choices": "scripts"},
        "a2n": {"choices": "scripts", "kinds": "game"},
        "a3n": {"choices": "scripts", "unrestricted": 1, "unrestricted_by": "closest"},
        "gns": {"guidance": 0.3, "first": "script"},
        "typed": {"choices": "assignment", "groups": "kind"},
        "greedy": _CLIMBING | {"sampler": "greedy"},
        "nested": _CLIMBING | {"sampler": "nested", "backup": "best-reply"},
        "evolution": _CLIMBING | {"sampler": "evolution"},
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


class LSI(TurnSampling[LSIParameters]):
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
    value_of = "the turn, mean of its simulations"

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        announce(generate, "linear side information")
        given: LSIParameters = self.parameters
        settings, p = within_limits(given, problem.game), problem.record
        tree = memory_for(problem, budget, settings)
        r = tree.record
        if not budget.is_empty:
            problem.limit(budget.scaled(settings.generation))
        generate(p, r)
        generated = p.iterations
        if not budget.is_empty:
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
