"""What a turn costs: its value after a strong reply, compared with that of a long search's turn."""

from turnwise.arena.regret.measurement import REFERENCE, RegretSpec
from turnwise.arena.regret.run import Regret, measure_regret, stored_regret

__all__ = ["REFERENCE", "Regret", "RegretSpec", "measure_regret", "stored_regret"]
