"""The memory of naive MCTS and of LSI: arrays with bounds that the user sets, and their record."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from turnwise.core.budget import Budget
from turnwise.core.game import Game
from turnwise.core.table import NOTHING
from turnwise.jit.record import Ints, Record
from turnwise.planners.naive_mcts.choices import (
    ALL_ACTIONS,
    ASSIGNMENT,
    CLOSEST,
    FIRST,
    MOST_ACTIONS,
    PRUNED_ACTIONS,
    RANDOM,
    SCRIPTS,
)
from turnwise.planners.naive_mcts.key_table import NONE, KeyTable
from turnwise.planners.naive_mcts.tree import NaiveTree
from turnwise.search.actors import actor_capacity
from turnwise.search.forms import form_of
from turnwise.search.memory_limit import Entries, within_memory, working_bytes
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.named_portfolios import kinds_of, portfolio_of
from turnwise.search.outcome_table import likely_states, rounded_up, slots_for
from turnwise.search.problem import Problem
from turnwise.search.reply import everyone
from turnwise.search.team import Team, team_arrays, team_room

if TYPE_CHECKING:
    from turnwise.planners.naive_mcts.turn_sampling import TurnSamplingParameters

Settings = TypeVar("Settings", bound="TurnSamplingParameters")

SOURCES = {"actions": ALL_ACTIONS, "pruned": PRUNED_ACTIONS, "scripts": SCRIPTS, "assignment": ASSIGNMENT}
RULES = {"first": FIRST, "most-actions": MOST_ACTIONS, "random": RANDOM, "closest": CLOSEST}
MOST_ARMS, MOST_CHOICES = 1 << 28, 1 << 30
_HEAP_PLACES = 4  # for each arm: blocks are doubled, and a heap has four places at first
_CHOICES_PER_ARM = 8  # where memory is limited in bytes; as in the default numbers
_CHOICES_PER_CALL = 4  # a turn has more passes than actions where only some actors can act
_LEAST_CHOICES = 1 << 10
_ARMS_PER_SECOND = 200_000
_FIRST_KEYS = 1 << 18  # for which there are slots at the beginning of a search, at most
_PASSES = 4  # for each actor, that are recorded in a turn


def within_limits(settings: Settings, game: Game) -> Settings:
    """The parameters with numbers of arms and choices."""

    def entries(arms: int) -> Entries:
        return {"max_arms": arms, "max_choices": min(_CHOICES_PER_ARM * arms + _LEAST_CHOICES, MOST_CHOICES)}

    def size(counts: Entries) -> int:
        arms, choices = counts["max_arms"], counts["max_choices"]
        tables = _bytes(NaiveTree, _tables(settings, arms, choices))
        tables += _bytes(KeyTable, _key_tables(arms)) + _bytes(KeyTable, _key_tables(choices))
        words = path_room(game, settings.depth_limit) * 3 + 8 * actor_capacity(game)
        words += sum(_team_arrays(settings, game).values())
        return tables + working_bytes(game, rows=1, lists=3, words=words)

    return within_memory(settings, game, entries, size, 2, MOST_ARMS)


def _tables(settings: TurnSamplingParameters, arms: int, choices: int) -> dict[str, int]:
    """Lengths of the tables for numbers of arms and choices."""
    climbs = {"climbs": arms + 1} if settings.climbs else {}
    return climbs | {"nodes": arms + 1, "arms": arms, "heaps": _HEAP_PLACES * arms, "kept": choices, "choices": choices}


def _team_arrays(settings: TurnSamplingParameters, game: Game) -> dict[str, int]:
    """The arrays of the actors and their scripts, where turns are assignments."""
    return team_arrays(game) if settings.plays_assignments else {}


def _key_tables(room: int) -> dict[str, int]:
    """Lengths of the arrays of a table of keys."""
    return {"keys": room, "slots": slots_for(room)}


def _bytes(layout: type[Record], lengths: dict[str, int]) -> int:
    return sum(n * layout.fields[name].target.itemsize for name, n in lengths.items())


def most_passes(game: Game) -> int:
    """How many passes of a turn are recorded."""
    return _PASSES * actor_capacity(game)


def most_scripts(game: Game, settings: TurnSamplingParameters) -> int:
    """The largest number of scripts that a group of actors chooses from."""
    kinds = kinds_of(game, settings.kinds).values()
    return max(len(scripts) for scripts in (portfolio_of(game, settings.portfolio), *kinds))


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
        actors = actor_capacity(game)
        room = dict.fromkeys(("given", "now", "free", "ranked", "entropies"), actors)
        room |= dict.fromkeys(("listed", "places", "weights"), game.max_actions + 1)
        room |= {"work": game.state_words, "path": settings.depth_limit, "alive": settings.most_drawn}
        room |= {"made": path_room(game, settings.depth_limit)}
        if settings.plays_assignments:
            room |= dict.fromkeys(
                ("listed", "places", "weights"), max(game.max_actions + 1, most_scripts(game, settings))
            )
        form = form_of(game, (NaiveTree, settings), lambda: _form(settings, problem))
        lengths = _tables(settings, arms, choices)
        self.record = r = form.again(**room, **lengths)
        self._arms, self._actions = r.array("arms"), r.array("kept")["action"]
        self._keys = [KeyTable(**_key_tables(arms)), KeyTable(**_key_tables(choices))]
        self.more_bytes = sum(keys.total_bytes for keys in self._keys)
        self.arm_keys, self.choice_keys = r.arm_keys[0], r.choice_keys[0]
        for keys, own, n in zip((self.arm_keys, self.choice_keys), self._keys, (arms, choices), strict=True):
            keys.become(own)
            keys.room, keys.largest = n, slots_for(n) - 1
        r.arm_room, r.heap_room, r.kept_room = arms, lengths["heaps"], choices
        r.most_passes = most_passes(game)
        self._keep_scripts(problem, settings)
        if settings.plays_assignments:
            self._team = team = Team(**_team_arrays(settings, game))
            team.scripts, team.size, team.players, team.room = r.scripts, r.size, game.players, team_room(game)
            r.team[0].become(team)

    def _keep_scripts(self, problem: Problem, settings: TurnSamplingParameters) -> None:
        """Point at the nodes of the scripts: those of the portfolio, then number and scripts of each kind."""
        r = self.record
        if not settings.needs_scripts:
            return
        nodes = [problem.expression(script) for script in portfolio_of(problem.game, settings.portfolio)]
        r.size = len(nodes)
        kinds = kinds_of(problem.game, settings.kinds)
        begin = [NONE] * (max(kinds, default=-1) + 1)
        for kind, scripts in kinds.items():
            begin[kind] = len(nodes)
            nodes += [len(scripts), *(problem.expression(script) for script in scripts)]
        self._scripts, self._begin = np.array(nodes, np.int64), np.array(begin, np.int64)
        r.scripts, r.kind_begin, r.kinds = Ints.of(self._scripts), Ints.of(self._begin), len(begin)

    def codes(self, arm: int) -> list[int]:
        """The actions of a turn."""
        first, count = self._arms[arm][["first", "count"]].item()
        actions = self._actions[first : first + count]
        codes: list[int] = actions[actions != NOTHING].tolist()
        return codes

    def figures(self) -> dict[str, float]:
        """The tree's own figures for the report."""
        r = self.record
        return {
            "nodes": float(r.node_count),
            "turns": float(self.arm_keys.count),
            "choices": float(self.choice_keys.count),
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
    arms = min(settings.max_arms, rounded_up(likely_states(budget, 1)))
    per_arm = game.max_turn + most_passes(game) if budget.forward_calls is None else _CHOICES_PER_CALL
    if settings.plays_assignments and budget.forward_calls is not None:
        per_arm += actor_capacity(game)
    choices = min(settings.max_choices, rounded_up(arms * per_arm + _LEAST_CHOICES))
    kind = (NaiveTree, settings, arms, choices)
    memory = problem.memory(kind, lambda: NaiveMemory(problem, settings, arms, choices))
    likely = arms if budget.seconds is None else min(arms, int(budget.seconds * _ARMS_PER_SECOND))
    for keys, expected in ((memory.arm_keys, likely), (memory.choice_keys, _CHOICES_PER_ARM * likely)):
        keys.mask = min(keys.largest, slots_for(min(expected, _FIRST_KEYS)) - 1)
    return memory


def _form(settings: TurnSamplingParameters, problem: Problem) -> NaiveTree:
    """A tree without arrays that has the planner's parameters."""
    r = NaiveTree()
    r.keep("rollouts", everyone(r.rollout[0], problem, settings.rollout_turns))
    r.source, r.unrestricted = SOURCES[settings.choices], settings.unrestricted
    r.unrestricted_rule, r.greedy_probability = RULES[settings.unrestricted_by], settings.greedy_probability
    settings.settle(r)
    return r
