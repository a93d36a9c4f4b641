"""Which planner solves a game unless one is named: the strongest that is known for it here."""

from __future__ import annotations

from turnwise.core.game import Game

_COLOURS, _RACER = "nrpa:preset=champion-samegame", "rhea:preset=champion-search-race"

CHAMPIONS = {"samegame": _COLOURS, "search-race": "beam-search:preset=champion-search-race"}
"""Game -> text of the planner for a whole game, with any budget."""

BY_SECONDS = {
    "samegame": (
        (0.0, "nrpa:levels=2,iterations=100,policy=tabu-colour"),
        (0.6, f"{_COLOURS},iterations=25,trial-iterations=10"),
        (2.5, _COLOURS),
        (20.0, f"{_COLOURS},iterations=90,trial-iterations=40"),
    ),
    "search-race": ((0.0, CHAMPIONS["search-race"]), (5.0, _RACER)),
}
"""Game -> planners with the seconds for a whole game from which each is the strongest, rising."""

CONTEST = {"search-race": _RACER}
"""Game -> planner where a referee waits for every turn, if it is another one."""

GENERALIST = "nrpa"
"""For all other games."""


def champion(game: Game | str, *, contest: bool = False, seconds: float | None = None) -> str:
    """Text of the planner that solves a game unless another is named.

    Args:
        game: The scenario, or a game's name.
        contest: Whether it is to answer a referee within a contest's time limits.
        seconds: Time for a whole game, if that is the limit.
    """
    name = game if isinstance(game, str) else game.name
    chosen = CHAMPIONS.get(name, GENERALIST)
    if contest:
        return CONTEST.get(name, chosen)
    known = [text for least, text in BY_SECONDS.get(name, ()) if seconds is not None and seconds >= least]
    return known[-1] if known else chosen
