"""Planners without a search: do-nothing, random, heuristic, and one action at a time."""

from turnwise.planners.baselines.do_nothing import DoNothing
from turnwise.planners.baselines.greedy_action import GreedyAction
from turnwise.planners.baselines.heuristic import Heuristic
from turnwise.planners.baselines.osla import OSLA
from turnwise.planners.baselines.random import Random
from turnwise.planners.baselines.random_heuristic import RandomHeuristic
from turnwise.planners.baselines.script import ScriptPlayer

__all__ = ["OSLA", "DoNothing", "GreedyAction", "Heuristic", "Random", "RandomHeuristic", "ScriptPlayer"]
