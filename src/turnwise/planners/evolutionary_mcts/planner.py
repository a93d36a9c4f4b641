"""Evolutionary MCTS, and the one that looks beyond the own turn."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator
from typing_extensions import TypeVar

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.planners.evolutionary_mcts.chains import grow_chains
from turnwise.planners.evolutionary_mcts.inspection import show
from turnwise.planners.evolutionary_mcts.memory import (
    LEAST_NODES,
    MOST_NODES,
    MutationTreeMemory,
    further_turns,
    tree_for,
    within_limits,
)
from turnwise.planners.evolutionary_mcts.search import grow
from turnwise.planners.evolutionary_mcts.tree import burn_bridge
from turnwise.search.horizon import OWN_TURN, TURNS, parse_horizon
from turnwise.search.memory_limit import MemoryParameters
from turnwise.search.parameters import SCALE, RankingParameters, Scale
from turnwise.search.planner_parameters import need_values
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.turn_genomes import TurnParameters
from turnwise.search.turn_rating import TurnRating
from turnwise.search.turn_replies import TurnReplyParameters
from turnwise.search.variable_length import REPAIR_WORDS, Repair


def _read_turns(text: str) -> str:
    try:
        kind, _ = parse_horizon(text)
    except ValueError:
        kind = None
    if kind not in (OWN_TURN, TURNS):
        raise ValueError(f"got {text!r}; expected own-turn or turns=n with n from 1, for example turns=2")
    return text


TurnsText = Annotated[str, AfterValidator(_read_turns)]


_CHAINS = {
    "root": "random",
    "phases": 1,
    "repair": "random",
    "mutations": "exchange",
    "material": False,
    "distinct": False,
}
_NOT_IN_CHAINS = ("width", "burn", "scale", "tabu")
"""Parameters without effect where the tree grows by chains."""


class EMCTSParameters(MemoryParameters, TurnReplyParameters, TurnParameters, RankingParameters):
    """Parameters of :class:`EMCTS`."""

    entries: ClassVar[tuple[str, ...]] = ("max_nodes",)

    root: Literal["greedy", "random"] = Field(
        default="greedy", description="the turn at the root: of the best-rated actions one after the other, or random"
    )
    width: int = Field(
        default=30, ge=1, le=1_000_000, description="number of mutations of a turn before the search goes deeper"
    )
    exploration: float = Field(
        default=0.15,
        ge=0,
        description="C of the upper confidence bound mean + C sqrt(ln N / n), in units of the values' scale",
    )
    scale: Scale = SCALE
    phases: int = Field(
        default=10,
        ge=1,
        le=10_000,
        description="equal parts of the budget; after each but the last the best child becomes the root",
    )
    burn: Literal["better", "always"] = Field(
        default="better", description="whether the root moves to its best child only if that is better, or always"
    )
    repair: Repair = Field(
        default="greedy", description=f"how an illegal gene is replaced after a mutation; {REPAIR_WORDS}"
    )
    material: bool = Field(
        default=True, description="whether genes after the end of a shorter turn are kept for later mutations (introns)"
    )
    distinct: bool = Field(
        default=True, description="whether a turn with the outcome of another one in the tree takes no place in it"
    )
    tabu: int = Field(
        default=0,
        ge=0,
        le=10_000,
        description="number of exchanges for which no other one puts the same action at the same place (tabu search); "
        "0: none is tabu",
    )
    horizon: TurnsText = Field(
        default="own-turn",
        description="after which turn a line is rated: own-turn, or turns=n with the own one as first",
    )
    growth: Literal["bounds", "chains"] = Field(
        default="bounds",
        description="how the tree grows: by one mutation of the turn that the bounds lead to; chains: by several, each "
        "of the turn before, as in the program of a report (its exploration is in units of the evaluation)",
    )
    chain: int = Field(
        default=10, ge=1, le=LEAST_NODES // 2, description="mutations that are added together (growth=chains)"
    )
    descent: Literal["best", "rising"] = Field(
        default="best",
        description="which child the search goes down to while scores rise (growth=chains): the best one; rising: the "
        "last one, in order of age, that raised the score, and none if the oldest does not",
    )
    division: Literal["exact", "whole"] = Field(
        default="exact",
        description="the quotient of visits in the exploration (growth=chains): exact, or rounded down to a whole "
        "number",
    )
    replays: bool = Field(
        default=False,
        description="whether turns are played again from the beginning to be rated; and with growth=chains "
        "also to be repaired",
    )
    max_nodes: int = Field(
        default=1 << 18,
        ge=LEAST_NODES,
        le=MOST_NODES,
        description="maximum number of turns in the tree; a full tree begins again with the best one",
    )

    @model_validator(mode="after")
    def _replies_or_horizon(self) -> Self:
        if self.simulates_replies and parse_horizon(self.horizon) not in ((OWN_TURN, 0), (TURNS, 1)):
            raise ValueError(
                f"reply={self.reply} needs horizon=own-turn: the replies take the place of the turns after the own "
                f"one; got horizon={self.horizon}"
            )
        return self

    @model_validator(mode="after")
    def _chains_rate_before_the_end(self) -> Self:
        if self.growth == "chains" and self.simulates_replies:
            raise ValueError(f"reply={self.reply}: growth=chains rates turns before they end; give reply=none")
        if self.growth == "chains" and parse_horizon(self.horizon)[0] != OWN_TURN:
            raise ValueError(
                f"horizon={self.horizon}: growth=chains rates turns before they end; give horizon=own-turn, or leave "
                "growth out"
            )
        if self.growth == "chains":
            need_values(self, "growth=chains", _CHAINS, _NOT_IN_CHAINS)
        return self

    @model_validator(mode="after")
    def _tabu_exchanges(self) -> Self:
        if self.tabu > 0 and "exchange" not in self.mutations:
            raise ValueError(f"tabu={self.tabu} needs mutations=exchange, alone or with others; got {self.mutations}")
        return self


_PROGRAM = {
    "worlds": 1,
    "root": "random",
    "exploration": 1.0,
    "phases": 1,
    "repair": "random",
    "material": False,
    "distinct": False,
    "cap": 20,
    "ends": "last",
    "growth": "chains",
}


ParametersT_co = TypeVar("ParametersT_co", bound=EMCTSParameters, default=EMCTSParameters, covariant=True)


class EMCTS(SearchPlanner[ParametersT_co]):
    """Search a tree whose nodes are whole turns and whose edges are mutations of them.

    The root is a greedy turn. A node that has had less than ``width`` mutations gets another child: its turn with one
    random mutation, repaired where it has become illegal. Otherwise the search goes down to the child with the best
    upper confidence bound. The value of a turn is the evaluation of its outcome, and a node's value the mean over its
    subtree; there are no rollouts. After each of ``phases`` equal parts of the budget the best child becomes the root
    ("bridge burning"). The best turn of all is played.

    Under a budget of evaluations alone the search also ends after 1000 mutations without a new outcome, as known ones
    cost no evaluation.

    Turns of variable length: ``mutations`` can insert, delete and swap actions or end the turn; a turn that is too
    short is completed by the repair. Chance: a turn in which chance took part is played again whenever it is mutated,
    and its value is the mean.

    The presets are the agent of a report on Tribes (Singh 2021), which has neither a greedy root nor bridge burning:
    turns of at most 20 actions, rated before they end, and chains of ten mutations. ``as-published``: its text;
    ``as-coded``: its program, in which a quotient of visits is a whole number, the search stops at a node whose oldest
    child does not raise the score, and turns are played three times. It plans before every action (a budget per
    action).

    Source: Baier & Cowling, Evolutionary MCTS for Multi-Action Adversarial Games, 2018. Its numbers of phases, width
    and exploration were not available; those here are defaults of a published re-implementation, cut to smaller
    budgets. Deviations: the root moves only to a better child (``burn=always`` otherwise), and turns with an outcome
    that is in the tree already take no place (``distinct=false`` otherwise).

    Cost: a turn's length in forward calls for each new turn, and with ``repair=greedy`` one for each candidate of every
    action that is replaced; details: nodes, depth, burnt, repeated (share of turns with a known outcome), restarts.
    """

    name = "emcts"
    title = "Evolutionary MCTS"
    source = "Baier & Cowling, Evolutionary MCTS for Multi-Action Adversarial Games, 2018"
    iteration = "one turn added to the tree"
    value_of = "the turn's outcome"
    loading = Budget(iterations=8)
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "as-published": {"evaluation": "as-published", **_PROGRAM},
        "as-coded": {"evaluation": "as-coded", **_PROGRAM, "division": "whole", "descent": "rising", "replays": True},
    }

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem, with the scale of values."""
        problem = Problem(state, budget, seed, self.parameters.evaluation)
        if self.parameters.scale == "range":
            problem.scale_by_range()
        return problem

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`."""
        return TurnRating(replies=self.parameters, quick_turns=further_turns(self.parameters.horizon))

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        settings = within_limits(self.parameters, problem.game)
        tree = tree_for(problem, settings, budget)
        problem.observe(tree.best_turns)
        if settings.growth == "chains":
            announce(grow_chains, "evolutionary MCTS")
            grow_chains(problem.record, tree.record)
            return self._answer(problem, tree)
        announce(grow, "evolutionary MCTS")
        for limits, is_last in phases_of(budget, settings.phases):
            problem.limit(limits)
            grow(problem.record, tree.record)
            if not is_last and tree.record.nodes > 0:
                burn_bridge(tree.record)
        return self._answer(problem, tree)

    def _answer(self, problem: Problem, tree: MutationTreeMemory) -> Line:
        r = tree.record
        if problem.findings is not None:
            show(problem, problem.findings, tree)
        tried = r.born + r.repeated
        figures = {
            "nodes": float(r.nodes),
            "depth": float(r.depth),
            "burnt": float(r.burnt),
            "repeated": r.repeated / tried if tried else 0.0,
            "restarts": float(r.restarts),
        }
        if r.nodes == 0:  # the greedy turn as far as it came
            return Line(tree.codes(0), details=figures)
        wanted = 1 + self.parameters.alternatives if problem.wants_alternatives else 1
        (codes, value), *others = tree.best_turns(wanted)
        return Line(codes, value, others, figures)


@lru_cache(maxsize=64)  # under a budget per action the same one is divided for every action
def phases_of(budget: Budget, phases: int) -> tuple[tuple[Budget, bool], ...]:
    """The limits up to the end of each phase, and whether it is the last one; a small budget gives many phases nothing.

    Args:
        budget: The limits of the search.
        phases: Into how many equal parts it is divided.
    """
    found: list[tuple[Budget, bool]] = []
    for phase in range(1, phases + 1):
        limits = budget.scaled(phase / phases)
        if not found or limits != found[-1][0]:
            found.append((limits, phase == phases))
    return tuple(found)


class FlexibleHorizonParameters(EMCTSParameters):
    """Parameters of :class:`FlexibleHorizonEMCTS`."""

    horizon: TurnsText = Field(
        default="turns=2",
        description="after which turn a line is rated: turns=n with the own one as first; own-turn: as emcts",
    )


class FlexibleHorizonEMCTS(EMCTS[FlexibleHorizonParameters]):
    """Evolutionary MCTS whose turns are rated after further turns, which a quick model plays for all seats.

    The quick model plays greedy actions: of the ``model_actions`` best-scored ones that with the best evaluation.

    Source: Baier & Cowling, Evolutionary MCTS with Flexible Search Horizon, 2018 (FH-EMCTS).

    Cost and details: see :class:`EMCTS`; every new turn costs the model's forward calls, too.
    """

    name = "fh-emcts"
    title = "Evolutionary MCTS with flexible horizon"
    presets: ClassVar[dict[str, dict[str, Any]]] = {}
    source = "Baier & Cowling, Evolutionary MCTS with Flexible Search Horizon, 2018"
