"""Scripts of the strategy engine: every clause in a small position, and the clean ones against their definitions."""

import numpy as np
import pytest

import turnwise
from doubles.effort import effort
from doubles.stratega_positions import choices, position
from turnwise.core.checks import script_fault
from turnwise.games.stratega.scripts import SCRIPTS

OPEN = " ".join(["." * 9] * 7)


def test_the_closest_enemy_in_range_is_attacked_not_the_first():
    state = position(OPEN, ("Fighter", 0, 3, 3), ("Fighter", 1, 5, 3), ("Fighter", 1, 3, 2))
    for script in ("attack-closest", "attack-closest-as-coded"):
        assert state.script(script) == state.script(script, 0) == "attack 0 2"


def test_without_an_attack_the_fighter_moves_closer():
    state = position(OPEN, ("Fighter", 0, 0, 0), ("Fighter", 1, 8, 0), ("Fighter", 1, 0, 6))
    for script in ("attack-closest", "attack-closest-as-coded"):
        assert state.script(script) == state.script(script, 0) == "move 0 0,2"


def test_who_can_come_no_closer_has_no_clean_action_and_a_random_one_as_coded():
    state = position(OPEN, ("Fighter", 0, 3, 3, None, "AM"), ("Fighter", 1, 4, 3))
    assert state.script("attack-closest") is None
    assert state.script("attack-closest", 0) is None
    assert state.script("attack-closest-as-coded") == "end"
    assert state.script("attack-closest-as-coded", 0) is None
    state = position(OPEN, ("Medic", 0, 3, 3), ("Fighter", 1, 4, 3))
    assert state.script("attack-closest", 0) is None
    assert state.script("attack-closest-as-coded", 0) == "move 0 4,2"


def test_a_single_unit_attacks_its_own_side_as_coded():
    state = position(OPEN, ("Fighter", 0, 3, 3), ("Medic", 0, 3, 4), ("Fighter", 1, 5, 3))
    assert state.script("attack-closest-as-coded", 0) == "attack 0 1"
    assert state.script("attack-closest-as-coded") == "attack 0 2"
    assert state.script("attack-closest", 0) == state.script("attack-closest") == "attack 0 2"


@pytest.mark.parametrize("script", ["attack-closest-as-coded", "run-away-as-coded"])
def test_without_enemies_chance_decides_as_coded(script):
    state = position("...", ("Medic", 0, 0, 0, 30), ("Medic", 0, 2, 0))
    own = {"move 0 1,0", "heal 0 0"}
    assert choices(state, script, 0) == own
    assert choices(state, script) == {*own, "move 1 1,0", "heal 1 0", "end"} == set(state.legal_actions())
    assert choices(state, script.removesuffix("-as-coded"), 0) == {None}


def test_the_weakest_in_range_is_attacked_and_as_coded_only_the_weakest_of_all():
    state = position(
        OPEN, ("Fighter", 0, 0, 3), ("Fighter", 1, 2, 3, 90), ("Fighter", 1, 1, 3, 95), ("Medic", 1, 8, 3, 5)
    )
    assert state.script("attack-weakest") == state.script("attack-weakest", 0) == "attack 0 1"
    assert state.script("attack-weakest-as-coded") == state.script("attack-weakest-as-coded", 0) == "move 0 1,2"
    near = position(OPEN, ("Fighter", 0, 0, 3), ("Fighter", 1, 2, 3, 90), ("Fighter", 1, 1, 3, 90))
    assert near.script("attack-weakest-as-coded") == near.script("attack-weakest") == "attack 0 1"


def test_without_an_attack_the_way_leads_to_the_weakest_known_and_as_coded_to_the_corner_if_none_is():
    state = position(OPEN, ("Fighter", 0, 4, 3), ("Fighter", 1, 4, 6), ("Medic", 1, 0, 3))
    assert state.script("attack-weakest") == state.script("attack-weakest-as-coded") == "move 0 2,3"
    alone = position(OPEN, ("Fighter", 0, 1, 3), ("Medic", 0, 0, 2, None, "HM"), ("Fighter", 1, 8, 6), sight=2)
    view = alone.view(0)
    assert view.script("attack-weakest") is None
    assert view.script("attack-weakest-as-coded") == view.script("attack-weakest-as-coded", 0) == "move 0 1,1"


def test_runners_watch_the_closest_enemy_and_as_coded_the_farthest():
    state = position(OPEN, ("Medic", 0, 2, 0), ("Fighter", 1, 0, 0), ("Fighter", 1, 8, 0))
    assert state.script("run-away") == state.script("run-away", 0) == "move 0 2,2"
    assert state.script("run-away-as-coded") == state.script("run-away-as-coded", 0) == "move 0 1,1"


def test_who_is_as_far_away_as_possible_stays_unless_as_coded():
    state = position("....", ("Medic", 0, 3, 0), ("Fighter", 1, 0, 0))
    assert state.script("run-away") is None
    assert state.script("run-away-as-coded") == "move 0 2,0"


def test_friends_are_approached_and_as_coded_left():
    state = position(OPEN, ("Medic", 0, 0, 3), ("Fighter", 0, 5, 3, None, "AM"), ("Fighter", 1, 8, 6))
    assert state.script("run-to-friends") == state.script("run-to-friends", 0) == "move 0 2,3"
    assert state.script("run-to-friends-as-coded") == state.script("run-to-friends-as-coded", 0) == "move 0 0,1"
    assert state.script("run-to-friends", 1) is None
    alone = position(OPEN, ("Medic", 0, 0, 3), ("Fighter", 1, 8, 6))
    assert alone.script("run-to-friends") is None


def test_special_abilities_kill_then_heal_the_most_hurt_then_push():
    units = (("Pusher", 0, 2, 2), ("Medic", 0, 4, 4), ("Fighter", 0, 4, 5, 50), ("Fighter", 0, 5, 4, 70))
    quiet = position(OPEN, *units, ("Fighter", 1, 3, 2), ("Fighter", 1, 4, 3, 1))
    assert quiet.script("use-special-ability") == quiet.script("use-special-ability", 1) == "heal 1 2"
    assert quiet.script("use-special-ability", 0) == "push 0 4"
    hole = OPEN[:24] + "H" + OPEN[25:]
    assert position(hole, *units, ("Fighter", 1, 3, 2)).script("use-special-ability") == "push 0 4"
    wall = OPEN[:24] + "M" + OPEN[25:]
    assert position(wall, *units, ("Fighter", 1, 3, 2)).script("use-special-ability", 0) is None


def test_special_abilities_as_coded_are_any_heal_or_push_and_without_one_anything():
    state = position(OPEN, ("Medic", 0, 3, 3, 10), ("Pusher", 0, 6, 3), ("Fighter", 1, 3, 4, 50), ("Fighter", 1, 6, 4))
    assert choices(state, "use-special-ability-as-coded") == {"heal 0 0", "heal 0 2", "push 1 3"}
    assert choices(state, "use-special-ability-as-coded", 0) == {"heal 0 0", "heal 0 2"}
    without = position("....", ("Fighter", 0, 0, 0), ("Pusher", 0, 2, 0))
    assert choices(without, "use-special-ability-as-coded") == set(without.legal_actions())
    assert choices(without, "use-special-ability-as-coded", 0) == {None}


def test_clean_scripts_never_move_onto_deadly_tiles():
    state = position(".H.M.", ("Pusher", 0, 0, 0), ("Fighter", 1, 4, 0))
    assert state.script("attack-closest-as-coded") == "move 0 1,0"
    for script in ("attack-closest", "attack-weakest"):
        assert state.script(script) is None
    state = position("H..M.", ("Pusher", 0, 1, 0), ("Fighter", 1, 4, 0))
    assert state.script("run-away-as-coded") == "move 0 0,0"
    assert state.script("run-away") is None


# ------------------------------------------------------------------------------- definitions over the legal list


class Seen:
    """A state as its definition in plain Python reads it."""

    def __init__(self, state):
        data = state.to_dict()
        self.state, self.me = state, data["player"]
        self.units = {unit[0]: unit for unit in data["units"]}
        self.foes = [unit for unit in self.units.values() if unit[2] != self.me]
        self.own = [unit for unit in self.units.values() if unit[2] == self.me]

    def place(self, number):
        return tuple(self.units[number][3:5])

    def actions(self, kind, actor):
        """Unit and target of all legal actions of a kind, in order."""
        for text in self.state.legal_actions():
            verb, _, rest = text.partition(" ")
            if verb == kind:
                unit, target = rest.split(" ")
                if actor is None or actor == int(unit):
                    yield text, int(unit), tuple(map(int, target.split(","))) if "," in target else int(target)

    def is_deadly(self, cell):
        return self.state.game.options.rows[cell[1]][cell[0]] in "HM"


def apart(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def nearest(cell, units):
    return min((apart(cell, unit[3:5]) for unit in units), default=0)


def first_best(options):
    """The action of the first (value, action) with the least value; None: there is none."""
    return min(options, key=lambda option: option[0], default=(0, None))[1]


def better_moves(seen, actor, value):
    """Value and text of the safe moves that are better for a unit than to stay."""
    for text, unit, cell in seen.actions("move", actor):
        if value(cell, unit) < value(seen.place(unit), unit) and not seen.is_deadly(cell):
            yield value(cell, unit), text


def attack_closest(seen, actor):
    attacks = [
        (apart(seen.place(unit), seen.place(target)), text)
        for text, unit, target in seen.actions("attack", actor)
        if seen.units[target][2] != seen.me
    ]
    return first_best(attacks) or first_best(better_moves(seen, actor, lambda cell, unit: nearest(cell, seen.foes)))


def attack_weakest(seen, actor):
    attacks = [
        (seen.units[target][5], text)
        for text, _, target in seen.actions("attack", actor)
        if seen.units[target][2] != seen.me
    ]
    weakest = [min(seen.foes, key=lambda foe: foe[5])] if seen.foes else []
    return first_best(attacks) or first_best(better_moves(seen, actor, lambda cell, unit: nearest(cell, weakest)))


def run_away(seen, actor):
    return first_best(better_moves(seen, actor, lambda cell, unit: -nearest(cell, seen.foes)))


def run_to_friends(seen, actor):
    def distance(cell, unit):
        return nearest(cell, [friend for friend in seen.own if friend[0] != unit])

    return first_best(better_moves(seen, actor, distance))


DEFINED = {
    "attack-closest": attack_closest,
    "attack-weakest": attack_weakest,
    "run-away": run_away,
    "run-to-friends": run_to_friends,
}


def states_of(mode, count):
    """States of games that attack, and play at random, and what their players see."""
    game = turnwise.make("stratega", mode=mode)
    rng = np.random.default_rng(1)
    for seed in range(2):
        state = game.start(seed)
        for number in range(count):
            if state.is_over:
                break
            yield state
            yield state.view(state.to_move)
            action = state.script("mix(0.6:combat,random)", seed=number)
            state = state.play(action if rng.random() < 0.8 else str(rng.choice(state.legal_actions())))


@pytest.mark.parametrize("mode", ["kings", "healers", "pushers3", "mixed3"])
def test_clean_scripts_agree_with_their_definitions(mode):
    seen_actions = 0
    for state in states_of(mode, effort(60, 6)):
        seen = Seen(state)
        for name, definition in DEFINED.items():
            for actor in (None, *state.actors()):
                expected = definition(seen, actor)
                assert state.script(name, actor) == expected, (name, actor, state.to_dict())
                seen_actions += expected is not None
    assert seen_actions > effort(200, 20)


@pytest.mark.parametrize("mode", ["kings", "healers", "pushers3", "mixed3"])
def test_every_script_keeps_its_promises(mode):
    for number, state in enumerate(states_of(mode, effort(40, 4))):
        for name in SCRIPTS:
            for actor in (None, *state.actors()):
                assert script_fault(state, state.game.script(name), actor, number) == "", (name, state.to_dict())


def test_equal_picks_are_equally_frequent():
    state = position("...", ("Medic", 0, 0, 0, 30), ("Medic", 0, 2, 0))
    picks = [state.script("use-special-ability-as-coded", seed=seed) for seed in range(effort(4000, 400))]
    share = picks.count("heal 0 0") / len(picks)
    assert abs(share - 0.5) < 5 * 0.5 / len(picks) ** 0.5
