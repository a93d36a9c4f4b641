"""Recorded agents whose decisions can be replayed: player k draws from java.util.Random(agent seed + k) (rules 17)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from turnwise.core.conformance import JSONRecord, Mismatches
from turnwise.games.tribes.recorded.java import JavaRandom

if TYPE_CHECKING:
    from turnwise.games.tribes.recorded.engine import Position


class Deciding:
    """The recorded players, of whom some decide as their agents do."""

    def __init__(self, config: JSONRecord) -> None:
        """Read who plays.

        Args:
            config: The configuration of a recording; copies have no agents.
        """
        names = config.get("agents", list) if "agents" in config else []
        seed = config.get("agent_seed", int) if names else 0
        self._agents = [(str(name), JavaRandom(seed + player)) for player, name in enumerate(names)]

    def compare(self, position: Position, texts: Sequence[str], action: str, tally: Mismatches) -> None:
        """Compare a decision.

        Args:
            position: The state before it.
            texts: The legal list in the engine's order.
            action: The recorded decision.
            tally: Receives the comparison.
        """
        player = position.to_move()
        if not 0 <= player < len(self._agents):
            return
        name, chance = self._agents[player]
        if name == "random":
            tally.compare("decision of random", action, texts[chance.below(len(texts))])
