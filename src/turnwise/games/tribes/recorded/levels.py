"""Recorded levels of the original's generator (rules 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from turnwise.core.conformance import Document, Mismatches
from turnwise.core.errors import DamagedFileError, OptionError
from turnwise.games.tribes.level_file import checked_rows
from turnwise.games.tribes.tables import CITY, RESOURCES, TERRAINS

if TYPE_CHECKING:
    from turnwise.games.tribes.game import Tribes


def verify_levels(game_class: type[Tribes], document: Document, tally: Mismatches) -> None:
    """Generate every recorded level again."""
    for record in document.records():
        tally.step(record.where)
        try:
            game = game_class(
                tribes="+".join(map(str, record.get("tribes", list))),
                side=record.get("size", int),
                level=record.get("seed", int),
                land=float(record.get("land", int, float)),
            )
            expected = list(checked_rows(record.get("lines", list)))
        except (OptionError, ValueError) as error:
            raise DamagedFileError(f"{record.where}: expected a generated level; {error}") from None
        tally.compare("level", expected, level_rows(game))


def level_rows(game: Tribes) -> list[str]:
    """The level of a scenario's first state in the form of a level file."""
    row = game.start().row
    s: Any = row.view(game.layout())[0]
    tiles, side = s["tiles"], game.tables.side
    kinds = iter(s["tribe"]["kind"].tolist())
    texts = [
        f"{TERRAINS[land]}:{next(kinds) if land == CITY else '' if resource == 0 else RESOURCES[resource]}"
        for land, resource in zip(tiles["terrain"].tolist(), tiles["resource"].tolist(), strict=True)
    ]
    return [",".join(texts[first : first + side]) for first in range(0, len(texts), side)]
