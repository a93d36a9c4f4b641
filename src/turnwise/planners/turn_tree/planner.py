"""Turn-based evolutionary tree search."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.jit.cache import announce
from turnwise.planners.turn_tree.answers import actions_left, next_answer
from turnwise.planners.turn_tree.following import follow_action, keep_best
from turnwise.planners.turn_tree.inspection import show
from turnwise.planners.turn_tree.memory import LEAST_NODES, MOST_NODES, TurnTreeMemory, tree_for, within_limits
from turnwise.planners.turn_tree.search import begin, grow
from turnwise.planners.turn_tree.tree import NONE, value_of
from turnwise.search.forward_model import RUNNING
from turnwise.search.memory_limit import MemoryParameters
from turnwise.search.opponents import OpponentParameters
from turnwise.search.parameters import PolicyText, RankingParameters, Scale
from turnwise.search.problem import Line, Problem
from turnwise.search.search_planner import SearchPlanner
from turnwise.search.turn_rating import TurnRating
from turnwise.search.turn_replies import TurnReplyParameters


class TBETSParameters(MemoryParameters, OpponentParameters, RankingParameters):
    """Parameters of :class:`TBETS`."""

    entries: ClassVar[tuple[str, ...]] = ("max_nodes",)

    free_width: int = Field(
        default=0, ge=0, description="their turns, the quick model's first; 0: all (opponents=opps)"
    )
    other_width: int = Field(
        default=1, ge=1, description="turns of the other opponents, the quick model's first (opponents=opps)"
    )
    first_population: int = Field(default=20, ge=1, le=10_000, description="turns with which the root begins")
    population: int = Field(default=5, ge=1, le=10_000, description="turns with which every other node begins")
    first: Literal["model", "random"] = Field(
        default="model",
        description="the first of them: the quick model's turn, or a random one like all others (opponents=brs+ and "
        "opps: always the model's)",
    )
    mutation_share: float = Field(
        default=0.3, ge=0, le=1, description="probability that a turn is bred by mutation, else by crossover"
    )
    gene_probability: float = Field(
        default=0.4, ge=0, le=1, description="probability with which a mutation replaces each action"
    )
    bias: float = Field(
        default=0.8,
        ge=0,
        le=1,
        description="probability that a random action is a good one: the best-scored one of a random actor, or that of "
        "the policy",
    )
    policy: PolicyText = Field(
        default="", description="rollout policy or script that chooses good actions; empty: the game's action score"
    )
    widening: float = Field(default=2.0, gt=0, description="k: a node with N tries has up to k N^a turns")
    widening_power: float = Field(default=0.4, ge=0, le=1, description="a")
    widening_probability: float = Field(
        default=0.95, gt=0, le=1, description="probability that a node that may have another turn gets it"
    )
    exploration: float = Field(
        default=1.414,
        ge=0,
        description="C of the upper confidence bound value + C sqrt(ln N / n), in units of the values' scale",
    )
    scale: Scale = Field(
        default="range",
        description="what values are scaled by: the range of values seen in the search, or the evaluation's bounds",
    )
    look_ahead: int = Field(
        default=0, ge=0, le=100, description="turns that the quick model plays before a state is rated"
    )
    model_actions: int = Field(
        default=10,
        ge=1,
        le=100_000,
        description="best-scored actions that the quick model tries; 1: it plays by score alone",
    )
    commit: Literal["actions", "turn"] = Field(
        default="actions",
        description="how a turn's budget is spent: after the share of each action left this action is fixed, or the "
        "whole turn is chosen at the end",
    )
    final: Literal["value", "trials"] = Field(
        default="value",
        description="which turn is played: the one with the best value among those with replies, or the most tried one",
    )
    keep: bool = Field(default=True, description="whether the part of the tree that the game has reached is kept")
    max_nodes: int = Field(
        default=1 << 18,
        ge=LEAST_NODES,
        le=MOST_NODES,
        description="maximum number of states in the tree; a full tree goes on with its best turn alone",
    )


class TBETS(SearchPlanner[TBETSParameters]):
    """Search a tree over the turns of all sides, in which turns are bred from their siblings.

    A node is a state in which a turn begins, an edge a whole turn. A new node gets a few turns, one by a quick model
    (greedy actions) and the others random; later ones are mutations of a good turn of the node or crossovers of two.
    How many a node has grows with the number of turns tried in it and below (progressive widening); otherwise the
    search goes on by upper confidence bounds. Values are backed up as in minimax: each side's best turn counts.

    The budget of a turn is divided by the number of actions that are left in the best turn. After each part the first
    action is fixed, and the turns that begin with it are kept (``commit``). What the tree knows of the state in the
    next decision is kept, too, after the own actions and after the others' turns (``keep``).

    One player: the following turns are the player's own, and the best counts in each. Three and more players:
    ``opponents`` says what is assumed of the others. Chance: an edge in which chance took part has several sampled
    outcomes, as many as progressive widening allows; its value is their mean. An action in which chance took part is
    not fixed before the end of the budget.

    Source: Neller, Huang & Cho, Towards Better Turn-Based Strategy Planning Agents: Turn-Based Evolutionary Tree
    Search, 2026, with the constants of the authors' program. Deviations: crossover by place instead of by unit, since
    a unit may act several times or not at all; the others choose by the bound of their own value (the program uses the
    planner's); states are rated as they are (the program plays two turns by rules first: ``look_ahead=2``).

    Cost: a turn's length in forward calls and one evaluation for each new turn; the first turn of a node and
    ``look_ahead`` also cost a forward call and an evaluation for each action that the model tries. Details: nodes,
    depth (in turns), repeated (share of turns with a known outcome), kept (nodes from the last decision), restarts.
    """

    name = "tbets"
    title = "Turn-based evolutionary tree search"
    source = (
        "Neller, Huang & Cho, Towards Better Turn-Based Strategy Planning Agents: Turn-Based Evolutionary Tree Search, "
        "2026"
    )
    iteration = "one turn bred"
    value_of = "the turn after the replies in the tree"
    loading = Budget(iterations=12)

    def make_problem(self, state: State, budget: Budget, seed: int) -> Problem:
        """The problem, with the scale of values and the policy of good actions."""
        problem = Problem(state, budget, seed, self.parameters.evaluation, self.parameters.policy)
        if self.parameters.scale == "range":
            problem.scale_by_range()
        return problem

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`: after one turn of each other seat by the quick model."""
        return TurnRating(
            replies=TurnReplyParameters(reply="paranoid", reply_turns=1, model_actions=self.parameters.model_actions)
        )

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        announce(grow, "turn-based evolutionary tree search")
        settings = within_limits(self.parameters, problem.game)
        tree: TurnTreeMemory | None = memory.pop("tree", None)  # nothing is remembered of a search that fails
        kept = 0
        if tree is not None and tree.follows(problem):
            kept = tree.record.node_count
        else:
            tree = tree_for(problem, settings, budget)
        fixed: list[int] = []
        now, mover = tree, problem.record.mover
        problem.observe(lambda most: [([*fixed, *codes], value) for codes, value in now.turns_so_far(mover, most)])
        if settings.commit == "actions" and budget.scope == "turn":
            self._fix_actions(problem, tree, budget, fixed)
        self._grow(problem, tree, budget)
        line = self._answer(problem, tree, fixed)
        line.details["kept"] = float(kept)
        tree.line = line.codes[len(fixed) :]
        if settings.keep and problem.game.hold(problem.state.row) is None:  # else rows are released after the search
            memory["tree"] = tree
        return line

    def _fix_actions(self, problem: Problem, tree: TurnTreeMemory, budget: Budget, fixed: list[int]) -> None:
        """Fix one action after the other, each after its share of what is left; all but the last part's are added."""
        p, r = problem.record, tree.record
        problem.limit(budget)
        begin(p, r)
        spent = 0.0
        while (left := int(actions_left(p, r))) > 1:
            spent += (1.0 - spent) / left
            self._grow(problem, tree, budget.scaled(spent))
            problem.limit(budget)
            action = tree.codes(int(next_answer(p, r, NONE)))[0]
            if not follow_action(p, r, action):
                break
            fixed.append(action)
            tree.state = tree.state.play(action)

    def _grow(self, problem: Problem, tree: TurnTreeMemory, limits: Budget) -> None:
        """Search up to some limits; a full tree makes room and goes on."""
        p, r = problem.record, tree.record
        problem.limit(limits)
        while grow(p, r) and p.stop == RUNNING and keep_best(p, r):
            pass

    def _answer(self, problem: Problem, tree: TurnTreeMemory, fixed: list[int]) -> Line:
        p, r = problem.record, tree.record
        if problem.findings is not None:
            show(problem, problem.findings, tree)
        tried = r.born + r.repeated
        figures = {
            "nodes": float(r.node_count),
            "depth": float(r.deepest),
            "repeated": r.repeated / tried if tried else 0.0,
            "restarts": float(r.restarts),
        }
        turns: list[tuple[list[int], float]] = []
        turn = NONE
        for _ in range(1 + (self.parameters.alternatives if problem.wants_alternatives else 0)):
            turn = int(next_answer(p, r, turn))
            if turn == NONE:
                break
            turns.append((fixed + tree.codes(turn), float(value_of(r, turn, p.mover))))
        if not turns:
            made = r.array("made")[: r.made_length]  # the first turn as far as it came
            return Line([*fixed, *map(int, made)], details=figures)
        (codes, value), *others = turns
        return Line(codes, value, others, figures)
