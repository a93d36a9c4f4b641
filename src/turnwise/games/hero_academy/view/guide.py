"""Words for a person who plays: the rules in short, cards and units, and the headings of the list of actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.games.hero_academy.scenario import CLASSES
from turnwise.games.hero_academy.state import CLASS_HP, RANGE, SPEED
from turnwise.games.hero_academy.view.position import CARD_NAMES, SQUARE_NAMES

RULES = """\
Destroy all enemy crystals, or leave the enemy without units on the board, in the hand and in the deck.
By default a turn has five action points, player 1's first one three; every action costs one. The hand is filled to
six cards after the turn. Squares are x,y from the top left.
  move 0,0>2,1     to a square within the unit's speed; nothing blocks the way. A knocked-out unit there is removed.
  attack 2,1>4,1   an enemy within range. Beyond distance 1, living enemies block the line of sight.
  heal 1,1>2,1     a cleric heals a friend within two squares, or revives one that is knocked out.
  swap 1,1>4,3     a ninja changes places with any friend.
  drop KN>0,0      play a card: a unit on a deploy square, equipment or a potion on a friend, Inferno anywhere.
  discard KN       put a card back into the deck.
  end              end the turn early.
Units: KN Knight, AR Archer, CL Cleric, WI Wizard, NI Ninja, CR Crystal. Other cards: IN Inferno, RP Revive potion,
RM Runemetal, SC Scroll, DS Dragonscale, SH Shining helm.
A unit without hit points is knocked out. It leaves the board at the end of its owner's turn unless it is revived."""

_UNITS = {
    "KN": "power 200; 20 % physical resistance; pushes its target one square away",
    "AR": "power 300; half damage to neighbours",
    "CL": "power 200, magical; heals threefold its power within two squares, revives with twofold",
    "WI": "power 200, magical; 10 % magical resistance; lightning jumps on to two more enemies (75 %, 56 %)",
    "NI": "power 200; double damage to neighbours; swaps places with a friend",
    "CR": "cannot act; who loses the last one loses the game",
}
_CARDS = {
    "IN": "350 damage to all enemies in a block of 3 x 3 squares, whom it removes if they are knocked out",
    "RP": "heals a friend by 1000 hit points, or revives it with 100",
    "RM": "equipment: half as much power again",
    "SC": "equipment: threefold power for one attack or heal, then it is used up",
    "DS": "equipment: a tenth more hit points, 20 % physical resistance",
    "SH": "equipment: a tenth more hit points, 20 % magical resistance",
}
_SQUARES = {
    "A": "while a unit stands there, every hit of its player on a crystal does 300 more damage",
    "S": "20 % physical resistance for the unit there",
    "P": "100 more power for the unit there",
    "d": "only units of player 1 may stand there; they arrive there",
    "D": "only units of player 2 may stand there; they arrive there",
}


def about(subject: str) -> str:
    """What a card, a unit or a special square is, by its code or name; empty for anything else."""
    wanted = subject.casefold()
    for code, name in CARD_NAMES.items():
        if wanted in (code.casefold(), name.casefold()):
            return f"{code} {name}: {_unit_words(code) if code in _UNITS else _CARDS[code]}."
    for letter, words in _SQUARES.items():
        if wanted in (SQUARE_NAMES[letter].casefold(), SQUARE_NAMES[letter].split()[0]):
            return f"{letter} {SQUARE_NAMES[letter]}: {words}."
    return ""


def _unit_words(code: str) -> str:
    place = CLASSES.index(code)
    reach = f", speed {SPEED[place]}, range {RANGE[place]}" if SPEED[place] else ""
    return f"{CLASS_HP[place]} hit points{reach}; {_UNITS[code]}"


def heading(action: str, state: Mapping[str, Any]) -> str:
    """The unit or card that acts: ``Knight at 2,1``, ``drop Knight``, ``discard``."""
    word, _, rest = action.partition(" ")
    source = rest.partition(">")[0]
    if word == "drop":
        return f"drop {CARD_NAMES[source]}"
    if word in ("discard", "end"):
        return word
    standing = {f"{x},{y}": code for x, y, _, code, *_ in state["units"]}
    return f"{CARD_NAMES[standing[source]]} at {source}" if source in standing else source
