"""The memory of naive MCTS and of LSI: arrays with bounds that the user sets, and their record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.core.table import NOTHING
from turnwise.jit.kept_memory import kept_array
from turnwise.jit.lazy_arrays import SMALL
from turnwise.jit.record import Ints
from turnwise.planners.naive_mcts.choices import ALL_ACTIONS, FIRST, MOST_ACTIONS, PRUNED_ACTIONS, RANDOM, SCRIPTS
from turnwise.planners.naive_mcts.kinds import parse_kinds
from turnwise.planners.naive_mcts.tree import NONE, NaiveTree
from turnwise.search.actors import actor_capacity
from turnwise.search.forms import form_of
from turnwise.search.memory_limit import Entries, within_memory, working_bytes
from turnwise.search.outcome_table import likely_states, rounded_up, slots_for
from turnwise.search.problem import Problem, SearchMemory
from turnwise.search.reply import everyone
from turnwise.search.team import portfolio_of

if TYPE_CHECKING:
    from turnwise.planners.naive_mcts.planner import TurnSamplingParameters

SOURCES = {"actions": ALL_ACTIONS, "pruned": PRUNED_ACTIONS, "scripts": SCRIPTS}
RULES = {"first": FIRST, "most-actions": MOST_ACTIONS, "random": RANDOM}
MOST_ARMS, MOST_CHOICES = 1 << 28, 1 << 30
_HEAP_PLACES = 4  # for each arm: blocks are doubled, and a heap has four places at first
_CHOICES_PER_ARM = 8  # where memory is limited in bytes; as in the default numbers
_CHOICES_PER_CALL = 4  # a turn has more passes than actions where only some actors can act
_LEAST_CHOICES = 1 << 10
_PASSES = 4  # for each actor, that are recorded in a turn


def within_limits(settings: TurnSamplingParameters, game: Game) -> TurnSamplingParameters:
    """The parameters with numbers of arms and choices."""

    def entries(arms: int) -> Entries:
        return {"max_arms": arms, "max_choices": min(_CHOICES_PER_ARM * arms + _LEAST_CHOICES, MOST_CHOICES)}

    def size(counts: Entries) -> int:
        tables = sum(_table_bytes(counts["max_arms"], counts["max_choices"]).values())
        words = path_room(game, settings.depth_limit) * 3 + 8 * actor_capacity(game)
        return tables + working_bytes(game, rows=1, lists=3, words=words)

    return within_memory(settings, game, entries, size, 2, MOST_ARMS)


def _tables(arms: int, choices: int) -> dict[str, int]:
    """Lengths of the tables for numbers of arms and choices."""
    return {
        "nodes": arms + 1,
        "arms": arms,
        "arm_slots": slots_for(arms),
        "heaps": _HEAP_PLACES * arms,
        "kept": choices,
        "choices": slots_for(choices),
    }


def _table_bytes(arms: int, choices: int) -> dict[str, int]:
    return {name: n * NaiveTree.fields[name].target.itemsize for name, n in _tables(arms, choices).items()}


def most_passes(game: Game) -> int:
    """How many passes of a turn are recorded."""
    return _PASSES * actor_capacity(game)


def path_room(game: Game, depth: int) -> int:
    """Room for the choices of a simulation of some turns."""
    return depth * (game.max_turn + most_passes(game))


class NaiveMemory(SearchMemory):
    """A tree with its capacities.

    Attributes:
        record: The tree.
    """

    record: NaiveTree

    def __init__(self, problem: Problem, settings: TurnSamplingParameters, arms: int, choices: int) -> None:
        """Allocate.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
            arms: Capacity for turns.
            choices: Capacity for choices in local bandits, and for those of all turns.
        """
        game = problem.game
        lengths, sizes = _tables(arms, choices), _table_bytes(arms, choices)
        actors = actor_capacity(game)
        room = {name: n for name, n in lengths.items() if sizes[name] <= SMALL}
        room |= dict.fromkeys(("given", "now", "free", "ranked", "entropies"), actors)
        room |= dict.fromkeys(("listed", "places", "weights"), game.max_actions + 1)
        room |= {"work": game.state_words, "path": settings.depth_limit, "alive": settings.most_drawn}
        room |= {"made": path_room(game, settings.depth_limit)}
        form = form_of(game, (NaiveTree, settings), lambda: _form(settings, problem))
        self.record = r = form.again(**room)
        for name, n in lengths.items():
            if sizes[name] > SMALL:
                zeros = name in ("arm_slots", "choices")
                r.point(name, kept_array(n, NaiveTree.fields[name].target, zeros=zeros))
        r.arm_room, r.arm_mask, r.heap_room = arms, lengths["arm_slots"] - 1, lengths["heaps"]
        r.kept_room, r.choice_room, r.choice_mask = choices, choices, lengths["choices"] - 1
        r.most_passes = most_passes(game)
        self._keep_scripts(problem, settings)

    def _keep_scripts(self, problem: Problem, settings: TurnSamplingParameters) -> None:
        """Point at the nodes of the scripts: those of the portfolio, then number and scripts of each kind."""
        r = self.record
        if not settings.needs_scripts:
            return
        nodes = [problem.expression(script) for script in portfolio_of(problem.game, settings.portfolio)]
        r.size = len(nodes)
        kinds = parse_kinds(settings.kinds)
        begin = [NONE] * (max(kinds, default=-1) + 1)
        for kind, scripts in kinds.items():
            begin[kind] = len(nodes)
            nodes += [len(scripts), *(problem.expression(script) for script in scripts)]
        self._scripts, self._begin = np.array(nodes, np.int64), np.array(begin, np.int64)
        r.scripts, r.kind_begin, r.kinds = Ints.of(self._scripts), Ints.of(self._begin), len(begin)

    def codes(self, arm: int) -> list[int]:
        """The actions of a turn."""
        a = self.record.arms[arm]
        kept = self.record.kept
        return [int(kept[i].action) for i in range(a.first, a.first + a.count) if kept[i].action != NOTHING]

    def root_arms(self) -> list[int]:
        """The root's arms, most visited first, then by their means."""
        r = self.record
        n, arms = r.nodes[0], r.arms
        block = [int(r.heaps[n.first + i]) for i in range(n.count)]
        return sorted(block, key=lambda index: (-arms[index].visits, -arms[index].mean, index))

    def figures(self) -> dict[str, float]:
        """The tree's own figures for the report."""
        r = self.record
        return {
            "nodes": float(r.node_count),
            "turns": float(r.arm_count),
            "choices": float(r.choice_count),
            "max_depth": float(r.deepest),
            "tree_full": float(r.full),
        }


def memory_for(problem: Problem, budget: Budget, settings: TurnSamplingParameters) -> NaiveMemory:
    """An empty tree in proportion to the budget.

    Args:
        problem: The search problem.
        budget: Limits.
        settings: The planner's parameters, with numbers of arms and choices.
    """
    game = problem.game
    limits = [settings.max_arms, likely_states(budget, 1)]
    arms = max(2, min(limits))
    if arms < settings.max_arms:
        arms = min(settings.max_arms, rounded_up(arms))
    per_arm = game.max_turn + most_passes(game) if budget.forward_calls is None else _CHOICES_PER_CALL
    choices = min(settings.max_choices, rounded_up(arms * per_arm + _LEAST_CHOICES))
    kind = (NaiveTree, settings, arms, choices)
    return problem.memory(kind, lambda: NaiveMemory(problem, settings, arms, choices))


def _form(settings: TurnSamplingParameters, problem: Problem) -> NaiveTree:
    """A tree without arrays that has the planner's parameters."""
    r = NaiveTree()
    r.keep("rollouts", everyone(r.rollout[0], problem, settings.rollout_turns))
    r.source, r.unrestricted = SOURCES[settings.choices], settings.unrestricted
    r.unrestricted_rule, r.greedy_probability = RULES[settings.unrestricted_by], settings.greedy_probability
    settings.settle(r)
    return r
