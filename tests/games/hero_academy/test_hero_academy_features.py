"""What learnt policies see of Hero Academy: places of actions, planes, fields of a row."""

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from turnwise.core.errors import IllegalActionError
from turnwise.games.hero_academy.features import PLANES

TINY = "hero-academy:map=a-tiny,deck=tiny"
SQUARES = 15
UNITS = [
    *([0, 1, 0, "CR", 4500, ""], [4, 1, 1, "CR", 900, ""]),
    *([1, 0, 0, "KN", 500, "D"], [2, 1, 0, "CL", 800, ""], [3, 2, 1, "NI", 0, "RH"]),
]


@pytest.fixture
def state():
    data = turnwise.make(TINY).start(1).to_dict()
    hands, decks = np.array(data["hands"]), np.array(data["decks"])
    for owner, card in ((0, 0), (0, 2)):  # a knight, a cleric, a ninja and three items stand on the board
        hands[owner][card] -= 1
    hands[1][4] -= 1
    decks[0][9] -= 1
    hands[1][7] -= 1
    decks[1][10] -= 1
    data |= {"units": UNITS, "hands": hands.tolist(), "decks": decks.tolist(), "turn": 5, "ap": 4}
    return turnwise.make(TINY).from_dict(data)


def plane(features, number):
    return {(int(x), int(y)): float(features[number, x, y]) for x, y in np.argwhere(features[number])}


def test_planes_of_pieces_and_squares(state):
    own = state.features(0)
    assert own.shape == (PLANES, 5, 3)
    assert own.dtype == np.float32
    pieces = {0: {(1, 0): 1}, 2: {(2, 1): 1}, 5: {(0, 1): 1}, 12 + 4: {(3, 2): 1}, 12 + 5: {(4, 1): 1}}
    marks = {6 + 2: {(1, 0): 1}, 12 + 7: {(3, 2): 1}, 12 + 9: {(3, 2): 1}, 12 + 10: {(3, 2): 1}}
    squares = {
        24: {(2, 1): 1},
        25: {(2, 0): 1, (2, 2): 1},
        26: {(4, 0): 1, (0, 2): 1},
        27: {(0, 0): 1},
        28: {(4, 2): 1},
    }
    expected = pieces | marks | squares
    for number in set(range(29)) - {6, 12 + 6}:
        assert plane(own, number) == expected.get(number, {}), number
    assert plane(own, 6) == pytest.approx({(0, 1): 1, (1, 0): 500 / 1100, (2, 1): 1})
    assert plane(own, 12 + 6) == pytest.approx({(4, 1): 0.2})


def test_planes_of_cards_and_of_the_turn(state):
    data, own, other = state.to_dict(), state.features(0), state.features(1)
    cards = [own[29 + 11 * i : 40 + 11 * i] for i in range(4)]
    (hand, theirs), (deck, unseen) = data["hands"], data["decks"]
    for found, counts in zip(cards, (hand, [0] * 11, deck, np.add(theirs, unseen)), strict=True):
        assert (found == np.reshape(counts, (11, 1, 1))).all()
    assert [own[n, 0, 0] for n in (73, 74, 75)] == pytest.approx([1, 4 / 5, 5 / 100])
    assert [other[n, 4, 2] for n in (73, 74, 75)] == pytest.approx([0, 4 / 5, 5 / 100])
    assert (own == state.view(0).features(0)).all()
    opened = turnwise.make(TINY + ",hands=open").from_dict(data).features(0)
    assert (opened[40:51] == np.reshape(theirs, (11, 1, 1))).all()


def test_the_other_player_sees_the_sides_exchanged(state):
    own, other = state.features(0), state.features(1)
    assert (own[:12] == other[12:24]).all()
    assert (own[12:24] == other[:12]).all()
    assert (own[24:27] == other[24:27]).all()
    assert (own[27] == other[28]).all()


def test_places_of_actions(state):
    places = {code >> 16: {} for code in state.legal_codes().tolist()}
    for code in state.legal_codes().tolist():
        places[code >> 16][code & 0xFFFF] = state.index(code)
    for kind in (1, 2, 3):  # moves, attacks, heals: from-square and to-square
        assert places[kind] == {word: (word >> 8) * SQUARES + (word & 0xFF) for word in places[kind]}
    assert places[5] == {word: (SQUARES + (word >> 8)) * SQUARES + (word & 0xFF) for word in places[5]}
    assert places[6] == {word: SQUARES * 26 + (word >> 8) for word in places[6]}
    assert state.index("end") == SQUARES * 26 + 11 == state.game.indices - 1
    with pytest.raises(IllegalActionError, match="not legal here"):
        state.index(1 << 16)


def test_places_differ_within_every_list():
    game, random = turnwise.make("hero-academy"), np.random.default_rng(2)
    state = game.start(3)
    for _ in range(effort(400, 40)):
        codes = state.legal_codes().tolist()
        places = {state.index(code) for code in [*codes, 0]}
        assert len(places) == len({*codes, 0})
        assert min(places) >= 0
        assert max(places) < game.indices
        state = state.play(int(random.choice(codes)))
        if state.is_over:
            state = game.start(4)


@pytest.mark.parametrize("spec", [TINY, "hero-academy", "hero-academy:map=a-small"])
def test_fields_of_a_row(spec):
    game = turnwise.make(spec)
    state = game.start(1)
    fields, letters = state.row.view(game.layout())[0], "".join(game.rows)
    assert (fields["ap"], fields["turn"], fields["player"]) == (3, 1, 0)
    assert [int(word).bit_count() for word in fields["owned"]] == [letters.count("c"), letters.count("C")]
    assert len(letters) <= len(fields["units"]) <= len(letters) + 1
    crystals = fields["units"][fields["units"] > 0]
    assert len(crystals) == letters.count("c") + letters.count("C")
    assert (crystals & 0xFFFF == 4500).all()
