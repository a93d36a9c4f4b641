"""The sentence with which a game ends for the person who played it."""

import pytest

import turnwise
from turnwise.arena.records import Ending, GameRecord, SeatRecord
from turnwise.cli.ui.endings import ending_words
from turnwise.replay import Replay

REPLAY = Replay(game="hero-academy", rules="1", start={}, players=(), steps=())


def ended(ending, *ranks, detail=""):
    """A game of the person ("me") in the first seat; ranks by seat."""
    names = ("me", "ada", "bob", "eve")
    seats = tuple(
        SeatRecord(player=names[seat], seat=seat, rank=rank, score=0.0, result=0.0) for seat, rank in enumerate(ranks)
    )
    return GameRecord(key="", group=0, ending=ending, detail=detail, turns=1, seats=seats, replay=REPLAY)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (ended(Ending.WON, 1, 2), "You won."),
        (ended(Ending.WON, 2, 1), "You lost: ada won."),
        (ended(Ending.WON, 1, 2, detail="crystals"), "You won (crystals)."),
        (ended(Ending.WON, 1, 2, 3), "You won."),
        (ended(Ending.WON, 3, 1, 2), "You lost: ada won, your place is 3 of 3."),
        (ended(Ending.WON, 2, 1, 2), "You lost: ada won, your place is 2 (shared) of 3."),
        (ended(Ending.SHARED, 1, 1, 3), "You share the first place with ada."),
        (ended(Ending.SHARED, 1, 1, 1, 4), "You share the first place with ada and bob."),
        (ended(Ending.SHARED, 3, 1, 1), "You lost: ada and bob share the first place, your place is 3 of 3."),
        (ended(Ending.DRAWN_BY_RULE, 1, 1), "A draw."),
        (ended(Ending.DRAWN_BY_RULE, 1, 1, detail="stalemate"), "A draw (stalemate)."),
        (ended(Ending.DRAWN_BY_LIMIT, 1, 1, detail="turn limit"), "A draw by a limit (turn limit)."),
        (
            ended(Ending.EXCEPTION, 1, 2, detail="ada (seat 2): E"),
            "You won, since ada lost by an error: ada (seat 2): E.",
        ),
        (
            ended(Ending.ILLEGAL_ACTION, 1, 3, 1, detail="ada (seat 2): 'x' is not legal"),
            "You won, with all others, since ada lost by an illegal action: ada (seat 2): 'x' is not legal.",
        ),
        (ended(Ending.TIME_OVERRUN, 2, 1, detail="me (seat 1): late"), "You lost by an overrun: me (seat 1): late."),
    ],
)
def test_every_ending_has_its_words(record, words):
    assert ending_words(record, 0) == words


@pytest.mark.parametrize(("ending", "more"), [(Ending.WON, ""), (Ending.EXCEPTION, ": exception")])
def test_a_single_player_has_a_result_and_neither_wins_nor_loses(ending, more):
    game = turnwise.make("samegame:board=3")
    replay = Replay(game="samegame", rules=game.rules_version, start=game.start().to_dict(), players=("me",), steps=())
    record = ended(ending, 1).model_copy(update={"replay": replay})
    assert ending_words(record, 0) == f"The game is over: result 0{more}."
