"""The memory of flat Monte Carlo: its arrays, and the record through which kernels see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np

from turnwise.jit.record import Address, Floats, Ints, Record, Records
from turnwise.search.action_groups import Parts, settle_parts
from turnwise.search.horizon import Horizon, line_reach
from turnwise.search.known_line import best_line
from turnwise.search.memory_pool import SearchMemory
from turnwise.search.problem import Line, Problem
from turnwise.search.reply import HorizonMemory

if TYPE_CHECKING:
    from turnwise.planners.flat_mc.planner import FlatMCParameters

IN_TURN, AT_RANDOM, BY_BOUND = 0, 1, 2
_CHOICES = {"in-turn": IN_TURN, "random": AT_RANDOM, "ucb": BY_BOUND}


class ArmsRecord(Record):
    """The actions of one state (arms of a bandit), the line that is being played, and the best lines so far."""

    state: Address  # row: where the next action is chosen
    progress: Ints  # int64[1 + assigned actors]: of the line that has led to it
    spare: Address  # row of rollouts
    actions: Ints  # int64[max_actions]: the arms
    visits: Ints  # int64[max_actions]: rollouts after each
    means: Floats  # float64[max_actions]: mean value of each
    highest: Floats  # float64[max_actions]: best value of each
    listed: Ints  # int64[max_actions], scratch
    path: Ints  # int64[horizon]: the line that is being played
    best: Ints  # int64[horizon]: the best line of all
    best_length: int  # 0: none yet
    best_value: float
    lines: Ints  # int64[max_actions, horizon]: best line of each arm of the first step
    lengths: Ints  # int64[max_actions]: number of actions of each
    chosen: int  # arm of the first step in the first line; -1: none yet
    chosen_worth: float  # its mean
    count: int  # arms
    rollouts: int  # rollouts for each action and step; 0: the whole budget for the first step
    by_mean: int  # the arm with the best mean is played, else the one with the best rollout
    choice: int  # IN_TURN, AT_RANDOM or BY_BOUND: which arm gets the next rollout
    exploration: float  # C of UCB1
    horizon: int  # longest line in actions
    parts: Annotated[Records[Parts], 1]  # groups of actions, one of which becomes the arms
    pruned: int  # arms are the candidates, else all legal actions
    reach: Annotated[Records[Horizon], 1]  # how far lines go
    greedy_probability: float  # of the built-in epsilon-greedy policy
    runs: int  # whole lines played


class Arms(SearchMemory):
    """The memory of one search; pages are touched only when they are needed."""

    record: ArmsRecord

    def __init__(self, problem: Problem, settings: FlatMCParameters) -> None:
        """Allocate.

        Args:
            problem: The search problem.
            settings: The planner's parameters.
        """
        game = problem.game
        reach = line_reach(game, settings.horizon)
        horizon = reach.capacity
        arms = ("actions", "visits", "listed", "means", "highest", "lengths")
        rows = dict.fromkeys(("state", "spare"), game.state_words)
        room = {**rows, **dict.fromkeys(arms, game.max_actions), **dict.fromkeys(("path", "best"), horizon)}
        self.record = r = ArmsRecord(**room, lines=game.max_actions * horizon)
        self.best, self.lengths = r.array("best"), r.array("lengths")
        self.lines = r.array("lines").reshape(game.max_actions, horizon)
        r.best_value, r.chosen = -np.inf, -1
        r.rollouts, r.by_mean = settings.rollouts, settings.decide == "mean"
        r.choice, r.exploration = _CHOICES[settings.choice], settings.exploration
        r.keep("parts", settle_parts(r.parts[0], game, settings.root_groups))
        r.horizon, r.pruned = horizon, settings.candidates != "all"
        r.greedy_probability = settings.greedy_probability
        self._lines = HorizonMemory(r.reach[0], problem, reach, settings.reply, settings.greedy_probability)
        r.progress = Ints.of(self._lines.room_for_progress(1))

    def attach(self, problem: Problem) -> None:
        """Give a (new) search what the replies of other seats need."""
        self._lines.attach(problem)

    def best_line(self) -> Line:
        """The best rollout of all."""
        return best_line(self.record, self.best, self._details())

    def chosen_line(self) -> Line:
        """The best rollout after the action with the best mean."""
        arm = self.record.chosen
        if arm < 0:
            return Line([], details=self._details())
        codes = [int(code) for code in self.lines[arm, : self.lengths[arm]]]
        return Line(codes, self.record.chosen_worth, details=self._details())

    def _details(self) -> dict[str, float]:
        return {"runs": float(self.record.runs), "actions": float(self.record.count)}
