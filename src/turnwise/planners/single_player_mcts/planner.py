"""Single-player Monte Carlo tree search: mean values select, the best value decides, the subtree is kept."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal

from pydantic import Field

from turnwise.core.budget import UNLIMITED, Budget
from turnwise.core.game import Game
from turnwise.jit.cache import announce
from turnwise.planners.single_player_mcts.inspection import show
from turnwise.planners.single_player_mcts.memory import (
    DEFAULT_SAVED,
    MOST_NODES,
    MOST_PLACES,
    MOST_SAVED,
    SinglePlayerTree,
    tree_reach,
    within_limits,
)
from turnwise.planners.single_player_mcts.search import search
from turnwise.planners.single_player_mcts.tree import ROOT
from turnwise.search.horizon import TreeHorizonValue
from turnwise.search.known_line import best_known, remembered
from turnwise.search.line_planner import RolloutPlanner
from turnwise.search.memory_limit import MemoryParameters
from turnwise.search.outcome_table import rounded_up
from turnwise.search.parameters import EPSILON_GREEDINESS, PolicyText, RankingParameters, StreamParameters
from turnwise.search.problem import Line, Problem
from turnwise.search.streams import Streams, memories
from turnwise.search.turn_rating import TurnRating

Found = tuple[float, list[int]]  # value and actions of a sequence
NOT_FOUND: Found = (float("-inf"), [])


class TreeParameters(MemoryParameters, RankingParameters):
    """Parameters of every planner that grows a single-player tree."""

    entries: ClassVar[tuple[str, ...]] = ("max_nodes", "max_edges", "saved")

    exploration: float = Field(default=0.5, ge=0, description="C of mean + C sqrt(ln N / n)")
    scale: Literal["auto", "raw", "bounds"] = Field(
        default="auto",
        description="unit of C: the evaluation's own unit (raw), or the width of its bounds; auto: raw in "
        "single-player games, bounds in others",
    )
    policy: PolicyText = Field(
        default="", description="rollout policy; empty: the game's first, else 'uniform' over the candidates"
    )
    greedy_probability: float = EPSILON_GREEDINESS
    rollout_depth: int = Field(
        default=-1,
        ge=-1,
        description="number of moves in a rollout; 0: none, the node itself is evaluated; -1: to the end",
    )
    third_term: bool = Field(
        default=False, description="whether selection adds sqrt((sum of squares - n mean^2 + D)/n) (Schadd)"
    )
    deviation: float = Field(
        default=0.0004, ge=0, description="D of the third term, in squares of the unit of the values"
    )
    top_weight: float = Field(
        default=0.0, ge=0, le=1, description="weight of the best value in the mean that selects (Schadd: 0.02)"
    )
    expand_after: int = Field(
        default=0, ge=0, description="visits that a node needs before it gets a child (Schadd: 10)"
    )
    horizon: TreeHorizonValue = Field(
        default=1000,
        description="how far simulations and their rollouts go: own-turn, actions=n, game; a number: at most so many "
        "actions; in games of several players never beyond the turn",
    )
    max_nodes: int = Field(
        default=1 << 20, ge=2, le=MOST_NODES, description="maximum number of nodes (about 120 bytes and a state each)"
    )
    max_edges: int = Field(
        default=1 << 24, ge=1, le=MOST_PLACES, description="maximum number of listed actions (32 bytes each)"
    )
    saved: int = Field(
        default=DEFAULT_SAVED, ge=1, le=MOST_SAVED, description="maximum number of saved sequences (8 bytes per action)"
    )


class SPMCTSParameters(StreamParameters, TreeParameters):
    """Parameters of :class:`SPMCTS`."""

    keep: bool = Field(default=True, description="whether the subtree of the actions played is kept")
    play: Literal["child", "remembered"] = Field(
        default="child",
        description="the decision: the root's child with the highest best value, or the first action of the best "
        "known sequence, which may come from an earlier tree",
    )
    restarts: int = Field(
        default=1,
        ge=1,
        le=10_000,
        description="number of searches, each with a new tree, that share the budget; the best line counts",
    )


class SPMCTS(RolloutPlanner[SPMCTSParameters]):
    """UCT for one player: select by mean + C sqrt(ln N / n), roll out to the end, record the mean and the best value.

    A simulation walks to a node with untried actions, opens one of them at random, plays the rollout policy to the end
    of the game (or ``rollout_depth`` moves), evaluates, and updates visits, sum and best of every node of the path. The
    decision is the root's child with the highest best value (ties: more visits, then native order). Its subtree is
    kept for the next decision; if the game is then in a different state than expected, a new tree is grown.

    The best sequence seen through each child of the root is saved, and after the decision the line follows it to the
    end of the game (not always in a kept tree: the child may have been too deep for its sequence to be saved when it
    was found). In games of several players only the current turn is planned, with rollouts to its end. The tree and
    uniform rollouts choose among the game's candidates (pruned legal actions).

    A node keeps its state, so that a simulation plays only the new node's action and the rollout. Below a step in which
    chance took part (in plain Python games: from the root on) the actions of the path are played again, legality is
    checked at every visit, and actions that are illegal there are skipped.

    With several ``streams`` each stream grows and keeps a tree of its own; the best decision of all counts, and every
    tree follows it.

    Source: Kowalczyk & Stefaniak 2022, section 2.1.2; the options ``third_term``, ``top_weight``, ``expand_after`` and
    ``restarts`` after Schadd, Winands, Tak & Uiterwijk 2012 (there T = 10, W = 0.02; D depends on the scale).
    The thesis adds all successors of a leaf at once; adding one at a time, at random, is the same search.

    Cost: one evaluation per simulation. Under any budget the search also ends ("done") after 10,000 simulations in a
    row that played no action: everything in reach is known, or the tree is full and rollouts have no moves. Details:
    nodes, max_depth, bytes, tree_full, best (the highest value known), kept (nodes taken over from the last decision).
    """

    name = "sp-mcts"
    title = "Single-player MCTS"
    source = (
        "Kowalczyk & Stefaniak, Combining Evolutionary Algorithms with Monte Carlo Tree Search, 2022, section 2.1.2"
    )
    iteration = "one simulation"
    value_of = "the best line's end"
    plans_games = True
    loading = Budget(iterations=2)  # there is no subtree to keep after fewer
    presets = {"schadd": {"third_term": True, "top_weight": 0.02, "expand_after": 10}}  # noqa: RUF012

    def rating(self, game: Game) -> TurnRating:
        """See :meth:`SearchPlanner.rating`."""
        reach = tree_reach(game, self.parameters)
        return TurnRating(reach, greedy_probability=self.parameters.greedy_probability)

    def search(self, problem: Problem, budget: Budget, memory: dict[str, Any]) -> Line:
        """See :meth:`SearchPlanner.search`."""
        announce(search, "single-player MCTS")
        settings = within_limits(self.parameters, problem.game)
        remembers = settings.play == "remembered" or settings.restarts > 1
        old = remembered(problem, memory) if remembers else None
        with Streams(problem, budget, settings, lambda b, s: self.prepared(problem.state, b, s)) as streams:
            parts = memories(memory, settings.streams)
            trees = [tree_of(p, settings, m, settings.keep) for p, m in zip(streams.problems, parts, strict=True)]
            problem.observe(lambda most: lines_so_far(trees, most))
            kept = float(sum(tree.size for tree in trees))
            sequences = streams.run(
                lambda index: self._grow(streams.problems[index], streams.budgets[index], trees[index])
            )
            streams.conclude()
        if problem.findings is not None:
            for one in trees:
                show(problem, problem.findings, one)
        (value, codes), tree = best_decision(trees)
        if remembers:
            found = max(sequences, key=lambda one: one[0])
            best = best_known(problem, memory, old, Line(found[1], found[0] if found[1] else None))
            value, codes = (best.value, best.codes) if best.codes else (value, codes)
        for part in parts:
            part["planned"] = codes
        best_value = max(*(one.best_of(ROOT) for one in trees), -math.inf if value is None else value)
        figures = {**together(trees), "best": best_value, "kept": kept}
        return answer(problem, tree, settings, (value, codes), figures)

    def _grow(self, problem: Problem, budget: Budget, tree: SinglePlayerTree) -> Found:
        """Search in one stream; returns the best sequence of all its trees."""
        restarts, found = self.parameters.restarts, NOT_FOUND
        for part in range(restarts):
            if part > 0:
                tree.plant(problem)
            if restarts > 1:
                problem.limit(budget if part == restarts - 1 else budget.scaled((part + 1) / restarts))
            search(problem.record, tree.record)
            found = max(found, tree.saved(ROOT) or NOT_FOUND, key=lambda one: one[0])
        return found


_SPARE_NODES = 64  # the root, and nodes that are made before a search notices its limit


def settle(tree: SinglePlayerTree, settings: TreeParameters, problem: Problem, saved_depth: int) -> SinglePlayerTree:
    """Write a planner's parameters into the tree's record; they hold for all its searches in the problem's game."""
    r = tree.record
    by_bounds = settings.scale == "bounds" or (settings.scale == "auto" and problem.game.players > 1)
    unit = problem.high - problem.low if by_bounds else 1.0
    r.exploration = settings.exploration * unit
    r.third_term, r.deviation = settings.third_term, settings.deviation * unit * unit
    r.top_weight, r.expand_after = settings.top_weight, settings.expand_after
    r.rollout_depth, r.greedy_probability = settings.rollout_depth, settings.greedy_probability
    r.saved_depth = saved_depth
    return tree


def tree_of(
    problem: Problem, settings: TreeParameters, memory: dict[str, Any], keep: bool, saved_depth: int = 1
) -> SinglePlayerTree:
    """The tree to search in: the one that was kept, with its root where the game is now, or a new one.

    Args:
        problem: The search problem.
        settings: The planner's parameters.
        memory: What the player keeps between decisions; the tree is stored in it.
        keep: Whether the last tree may be used.
        saved_depth: How deep below the root sequences are saved; the planner and its parameters decide it.
    """
    tree: SinglePlayerTree | None = memory.get("tree")
    most = _most_nodes(problem)
    if tree is None or tree.room < min(most, settings.max_nodes):
        kind = (SinglePlayerTree, settings, most)
        tree = memory["tree"] = None  # released before the new one is allocated
        tree = problem.memory(
            kind, lambda: settle(SinglePlayerTree(problem, settings, most), settings, problem, saved_depth)
        )
        tree.plant(problem)
        memory["tree"] = tree
    elif not keep or problem.game.players > 1 or not tree.follows(problem, memory.get("planned", [])):
        tree.plant(problem)
    return tree


def _most_nodes(problem: Problem) -> int:
    """How many nodes a search can make: as many as forward calls, in a tree that is not kept for later decisions."""
    if problem.game.players == 1:
        return UNLIMITED
    return min(UNLIMITED, rounded_up(problem.record.forward_limit + _SPARE_NODES))


def decide(tree: SinglePlayerTree) -> tuple[float | None, list[int]]:
    """The root's child with the highest best value: the value and the line that reaches it.

    The line follows the sequence that reached that value. In a tree that was kept this sequence may be unknown (the
    child was too deep to save it when it was found); then the line ends with the tree.
    """
    ranked = tree.ranked_children()
    known = [tree.saved(ROOT) or NOT_FOUND]
    if not ranked:
        return known[0] if known[0] != NOT_FOUND else (None, [])
    action, node = ranked[0]
    best = tree.best_of(node)
    value, codes = tree.saved(node) or NOT_FOUND
    known.append((value, [action, *codes]))
    for value, codes in known:
        if value >= best and codes[:1] == [action]:
            return value, codes
    return best, tree.best_path()


def lines_so_far(trees: list[SinglePlayerTree], most: int) -> list[tuple[list[int], float]]:
    """The best lines of several trees together; see :meth:`.SinglePlayerTree.lines_so_far`."""
    return sorted((line for tree in trees for line in tree.lines_so_far(most)), key=lambda line: -line[1])


def best_decision(trees: list[SinglePlayerTree]) -> tuple[tuple[float | None, list[int]], SinglePlayerTree]:
    """The best of the decisions of several trees, and its tree; ties: the first one."""
    decisions = [(decide(tree), tree) for tree in trees]
    return max(decisions, key=lambda one: -math.inf if one[0][0] is None else one[0][0])


def together(trees: list[SinglePlayerTree]) -> dict[str, float]:
    """The figures of several trees: sums, but for the largest depth and whether one is full."""
    if len(trees) == 1:
        return trees[0].figures()
    each = [tree.figures() for tree in trees]
    both = {name: sum(figures[name] for figures in each) for name in each[0]}
    return both | {name: max(figures[name] for figures in each) for name in ("max_depth", "tree_full")}


def answer(
    problem: Problem,
    tree: SinglePlayerTree,
    settings: TreeParameters,
    decision: tuple[float | None, list[int]],
    figures: dict[str, float],
) -> Line:
    """The line of a decision with the other good ones that the tree knows, no longer than a turn.

    Args:
        problem: The search.
        tree: Its tree.
        settings: The planner's parameters.
        decision: Value and line.
        figures: For the report.
    """
    value, codes = decision
    longest = problem.game.max_turn
    others: list[tuple[list[int], float]] = []
    wanted = settings.alternatives if codes and problem.wants_alternatives else 0
    for action, node in tree.ranked_children() if wanted else []:
        if action != codes[0] and len(others) < wanted:
            found = tree.saved(node)
            others.append((([action, *(found[1] if found else [])])[:longest], tree.best_of(node)))
    return Line(codes, value, others, figures)
