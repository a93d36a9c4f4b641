"""Recorded agents whose decisions can be replayed: player k draws from java.util.Random(agent seed + k) (rules 17)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from turnwise.core import calls
from turnwise.core.conformance import JSONRecord, Mismatches
from turnwise.core.game import Row
from turnwise.games.tribes.agents.rule_based import keep_best
from turnwise.games.tribes.recorded.java import JavaRandom
from turnwise.games.tribes.setup import TribesSetup
from turnwise.games.tribes.state import TribesState
from turnwise.jit.kernel import kernel
from turnwise.jit.memory import address_of, at
from turnwise.jit.record import Ints

if TYPE_CHECKING:
    from turnwise.games.tribes.game import Tribes
    from turnwise.games.tribes.recorded.engine import Position

RANDOM, RULE_BASED = "random", "simple"
_state, _ints = at(TribesState), at(Ints)


@kernel
def _keep_best(g: TribesSetup, row: Row, actions: NDArray[np.int64]) -> int:
    """See :func:`turnwise.games.tribes.agents.rule_based.keep_best`; all of an array."""
    return keep_best(g, _state(address_of(row)), _ints(address_of(actions)), len(actions))


@lru_cache(maxsize=64)
def with_copies(game: Tribes) -> Tribes:
    """The scenario with the copies of the original game as views."""
    return type(game)(**{**game.changed_options(), "copies": "as-coded"})


class Deciding:
    """The recorded players, of whom some decide as their agents do."""

    def __init__(self, game: Tribes, config: JSONRecord) -> None:
        """Read who plays.

        Args:
            game: The scenario.
            config: The configuration of a recording; recordings of copies have no agents.
        """
        names = config.get("agents", list) if "agents" in config else []
        seed = config.get("agent_seed", int) if names else 0
        self._agents = [(str(name), JavaRandom(seed + player)) for player, name in enumerate(names)]
        self._game = with_copies(game)

    def compare(self, position: Position, codes: list[int], action: str, tally: Mismatches) -> None:
        """Compare a decision.

        Args:
            position: The state before it.
            codes: The legal list in the engine's order.
            action: The recorded decision.
            tally: Receives the comparison.
        """
        player = position.to_move()
        if not 0 <= player < len(self._agents) or not codes:
            return
        name, chance = self._agents[player]
        if name == RULE_BASED:
            codes = self._best(position.row, player, codes)
        if name in (RANDOM, RULE_BASED):
            chosen = position.texts([codes[chance.below(len(codes))]])[0]
            tally.compare(f"decision of {name}", action, chosen)

    def _best(self, row: Row, player: int, codes: list[int]) -> list[int]:
        """The actions with the highest score in the copy that the agent gets."""
        copy, listed = np.zeros(len(row), np.uint64), np.array(codes, np.int64)
        calls.call(self._game, "view", row, player, copy.ctypes.data)
        kept: list[int] = listed[: _keep_best(self._game.tables, copy, listed)].tolist()
        return kept
