"""Online evolution: a population of whole turns, evolved during the turn."""

from turnwise.planners.online_evolution.oep import OEP
from turnwise.planners.online_evolution.planner import OnlineEvolution

__all__ = ["OEP", "OnlineEvolution"]
