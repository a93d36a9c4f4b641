"""Rollout policies and the evaluations that no recorded play has: what each promises, seen from the legal actions."""

from collections import Counter

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from turnwise.core import calls
from turnwise.core.chance import generator
from twins.hero_academy_twin import CARDS

DRAWS = effort(20_000, 2000)
PLAIN = {"map": "a", "hands": "open"}


def chooser(state, policy, greedy, seed):
    """A function that draws one action after another by a policy."""
    index = state.game.policies.index(policy)
    rng, scratch, parameters = generator(seed), np.zeros(8, np.uint64), np.array([greedy, 0.0])

    def draw():
        addresses = (parameters.ctypes.data, rng.ctypes.data, scratch.ctypes.data)
        return int(calls.call(state.game, "policy", state.row, index, *addresses))

    return draw


def by_actor(state):
    """The legal actions of every unit (its square) and of every card (its name)."""
    found = {}
    for code, text in zip(state.legal_codes().tolist(), state.legal_actions(), strict=True):
        verb, _, rest = text.partition(" ")
        if verb != "end":
            found.setdefault(rest.split(">")[0], []).append(code)
    return found


def later_states(seed, count=60, fights=False, **options):
    """States of a game that ``random-tree`` plays; with ``fights``, every other action is an attack if possible."""
    state = turnwise.make("hero-academy", **{**PLAIN, **options}).start(seed)
    for number in range(count):
        if state.is_over:
            return
        yield state
        attack = state.script("attack-weakest") if fights and number % 2 else None
        state = state.play(chooser(state, "random-tree", 0.0, number)() if attack is None else attack)


def pieces(state):
    """Square -> (owner, class, hit points) of all pieces."""
    return {(x, y): (owner, kind, health) for x, y, owner, kind, health, _ in state.to_dict()["units"]}


def from_and_to(action):
    """The squares of a unit's action, or the card and the square of a drop."""
    first, _, second = action.partition(" ")[2].partition(">")
    place = tuple(map(int, second.split(","))) if second else None
    return first, place


def steps(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def test_distances_are_those_of_the_closest_standing_enemy():
    checked = 0
    for state in later_states(5, 120):
        standing = {place: piece for place, piece in pieces(state).items() if piece[2] > 0}
        own = [place for place, (owner, kind, _) in standing.items() if owner == state.to_move and kind != "CR"]
        foes = [place for place, (owner, _, _) in standing.items() if owner != state.to_move]
        found = [state.enemy_distance(actor) for actor in state.actors()]
        expected = sorted(min(steps(place, foe) for foe in foes) for place in own)
        assert sorted(distance for distance in found if distance is not None) == expected
        assert found.count(None) == sum(count > 0 for count in state.to_dict()["hands"][state.to_move])
        checked += len(own)
    assert checked > 60


def test_scripts_serve_their_purpose_in_played_games():
    """What each script chooses, compared with all legal actions as text."""
    seen = Counter()
    for seed in range(4):
        for state in later_states(seed, 200, fights=True):
            now, legal = pieces(state), state.legal_actions()
            foes = {place: piece for place, piece in now.items() if piece[0] != state.to_move}
            attacks = [action for action in legal if action.startswith("attack ")]
            health = {action: foes[from_and_to(action)[1]][2] for action in attacks}
            weakest = state.script("attack-weakest")
            if attacks:
                assert health[weakest] == min(health.values())
                seen["weakest"] += 1
            crystals = [action for action in attacks if foes[from_and_to(action)[1]][1] == "CR"]
            chosen = state.script("attack-crystals")
            assert (chosen in crystals) == bool(crystals)
            seen["crystals"] += bool(crystals)
            fallen = {place for place, piece in foes.items() if piece[2] == 0}
            stomps = [action for action in legal if action.startswith("move ") and from_and_to(action)[1] in fallen]
            assert (state.script("stomp") in stomps) == bool(stomps)
            seen["stomp"] += bool(stomps)
            for name in ("attack-closest", "retreat", "deploy"):
                action = state.script(name)
                if action is not None:
                    target = from_and_to(action)[1]
                    assert target not in now or now[target][0] != state.to_move, (name, action)
                    seen[name] += 1
    assert min(seen.values()) > 3, seen
    assert len(seen) == 6


def shares(state):
    """Action -> probability under ``random-tree``: cards in a quarter of the cases, then one that can act."""
    hand = dict(zip(CARDS, state.to_dict()["hands"][state.to_move], strict=True))
    actors = by_actor(state)
    halves = [{a: hand[a] for a in actors if a in hand}, {a: 1 for a in actors if a not in hand}]
    weights = [0.25, 0.75] if all(halves) else [float(bool(half)) for half in halves]
    return {
        code: weight * copies / sum(half.values()) / len(actors[actor])
        for weight, half in zip(weights, halves, strict=True)
        for actor, copies in half.items()
        for code in actors[actor]
    }


@pytest.mark.parametrize("place", [0, 12, 37])
def test_random_tree_chooses_cards_or_units_then_one_of_them_then_its_action(place):
    state = list(later_states(3))[place]
    expected = shares(state)
    assert sum(expected.values()) == pytest.approx(1)
    draw = chooser(state, "random-tree", 0.0, 1)
    found = Counter(draw() for _ in range(DRAWS))
    assert found.keys() <= expected.keys()
    for code, share in expected.items():
        assert abs(found[code] - DRAWS * share) < 5 * (DRAWS * share) ** 0.5 + 1, state.text(code)


@pytest.mark.parametrize("map", ["a", "a-tiny"])
def test_random_heuristic_with_certainty_takes_the_best_scored_action_of_its_unit_or_card(map):
    actors, kinds = set(), set()
    for state in later_states(5, map=map):
        draw = chooser(state, "random-heuristic", 1.0, 2)
        for _ in range(5):
            code = draw()
            text = state.text(code)
            if text == "end":
                assert state.to_dict()["ap"] == 0
                continue
            actor = text.partition(" ")[2].split(">")[0]
            scores = {
                other: calls.call(state.game, "action_score", state.row, other) for other in by_actor(state)[actor]
            }
            assert scores[code] == max(scores.values()), text
            actors.add(actor in CARDS)
            kinds.add(text.split()[0])
    assert actors == {True, False}
    assert kinds >= {"drop", "move", "attack"}


def test_random_heuristic_with_probability_0_is_random_tree():
    for state in later_states(4, 30):
        one, other = chooser(state, "random-heuristic", 0.0, 7), chooser(state, "random-tree", 1.0, 7)
        assert [one() for _ in range(10)] == [other() for _ in range(10)]


# ---------------------------------------------------------------------------------------------------- evaluations


@pytest.mark.parametrize(
    ("unit", "worth"),
    [
        ([4, 0, 0, "KN", 700, ""], 700 + 2 * 1000 + 30),  # on the defence square
        ([4, 4, 0, "AR", 300, "R"], 300 + 2 * (800 + 40) + 40),  # on the assault square
        ([2, 2, 0, "WI", 800, "DS"], 800 + 2 * (800 + 20 + 50) + 100),  # on a power square
        ([0, 0, 0, "NI", 1, "H"], 1 + 2 * (800 + 10) - 75),  # on a deploy square
        ([1, 1, 0, "CL", 5, "DRHS"], 5 + 2 * (800 + 30 + 20 + 20 + 30)),
        ([4, 4, 0, "KN", 0, "D"], -120),  # knocked out: only the square counts, against its owner
        ([1, 1, 0, "KN", 0, "D"], 0),
    ],
    ids=str,
)
def test_the_published_heuristic_adds_the_terms_of_the_paper(unit, worth):
    game = turnwise.make("hero-academy", **PLAIN)
    empty = game.start(1).to_dict()
    state = game.from_dict({**empty, "units": [*empty["units"], unit]})
    before = game.from_dict(empty)
    for player, sign in ((0, 1), (1, -1)):
        gain = state.evaluate(player, "heuristic-as-published") - before.evaluate(player, "heuristic-as-published")
        assert gain == sign * worth


def test_the_win_form_of_the_balance_says_who_is_ahead_and_at_the_end_who_won():
    seen = set()
    for seed in range(3):
        for state in later_states(seed, 150, map="a-tiny", deck="tiny", turn_limit=12):
            balance = state.evaluate(0, "balance")
            won = (1.0 if balance > 0 else 0.0) if balance else 0.5
            assert (state.evaluate(0, "balance-win"), state.evaluate(1, "balance-win")) == (won, 1 - won)
            assert state.evaluate(1, "balance") == -balance
            seen.add(won)
            if (after := state.play(state.legal_actions()[-1])).is_over:
                won = (after.returns[0] + 1) / 2
                assert (after.evaluate(0, "balance-win"), after.evaluate(1, "balance-win")) == (won, 1 - won)
                for player in (0, 1):
                    assert after.evaluate(player, "heuristic-as-published") == 60_000 * after.returns[player]
                seen.add("over")
    assert seen >= {0.0, 1.0, "over"}


def test_metrics_count_what_is_on_the_board_and_in_the_cards():
    for state in later_states(6):
        data = state.to_dict()
        for player in (0, 1):
            own = [unit for unit in data["units"] if unit[2] == player]
            crystals = [unit[4] for unit in own if unit[3] == "CR"]
            down = sum(unit[4] == 0 for unit in own)
            assert state.metrics(player) == {
                "crystal hit points": sum(crystals),
                "crystals": len(crystals),
                "units": len(own) - len(crystals) - down,
                "knocked out": down,
                "cards": sum(data["hands"][player]) + sum(data["decks"][player]),
            }
