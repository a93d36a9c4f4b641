"""The 25 level seeds of the framework's tournaments, which the report uses, too."""

from __future__ import annotations

LEVEL_SEEDS = (
    1590191438878,
    1590791907337,
    1591330872230,
    1590557911279,
    1589827394219,
    1590597667781,
    1588955551452,
    1588591994323,
    1590218550448,
    1592282275322,
    1592432219672,
    1590938785410,
    1589359308213,
    1591528602817,
    1592393638354,
    1588485987095,
    1588564020405,
    1589717827778,
    1592435145738,
    1592040799152,
    1588965819946,
    1589014941900,
    1590182659177,
    1590912178111,
    1588407146837,
)
TRIBES = "xin-xi+imperius"
"""The tribes of the tables; the agents swap them from game to game."""


def scenarios(levels: int, copies: str = "sound") -> tuple[str, ...]:
    """The first levels of the list as scenarios.

    Args:
        levels: Number of levels.
        copies: What searches play in: the option ``copies`` of the game.
    """
    option = "" if copies == "sound" else f",copies={copies}"
    return tuple(f"tribes:tribes={TRIBES},level={seed}{option}" for seed in LEVEL_SEEDS[:levels])
