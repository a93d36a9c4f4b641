"""The rules of Search Race against a second, plain version, and their quirks one by one."""

import math
import random

import numpy as np
import pytest

import turnwise
from turnwise.core import calls
from turnwise.core.chance import generator
from turnwise.core.errors import IllegalActionError
from turnwise.core.table import ALL
from turnwise.games.search_race import SearchRace
from turnwise.games.search_race.recorded.engine import Position
from turnwise.games.search_race.rules import codes
from turnwise.games.search_race.rules.physics import _EDGE, cut, may_hit
from turnwise.games.search_race.scenario import ACTION_SETS, RaceSetup, track_points, tracks
from turnwise.testing import check_game
from twins import search_race_twin as twin

OVERLAPPING = ((0, 0), (900, 0), (1500, 100), (1600, 700), (1500, 900))


def state_of(game, **fields):
    return game.from_dict({**game.start().to_dict(), **fields})


def after(state, action):
    return {name: value for name, value in state.play(action).to_dict().items() if name != "col_time"}


# ---------------------------------------------------------------------------------------------------------- the twin


def random_action(car, chance, kind):
    if kind == "expert":
        return f"EXPERT {chance.randint(-18, 18)} {chance.randint(0, 200)}"
    if kind == "aim":
        far = chance.choice((30, 3000, 10**6, 10**8 - 10**5))
        return f"{car.x + chance.randint(-far, far)} {car.y + chance.randint(-far, far)} {chance.choice((0, 7, 200))}"
    return f"EXPERT {chance.choice((-18, -9, 0, 9, 18))} {chance.choice((0, 200))}"


@pytest.mark.parametrize("kind", ["expert", "aim", "ten", "driver"])
@pytest.mark.parametrize("points", [*map(track_points, ("test1", "test37", "test701")), OVERLAPPING, ((0, 0), (0, 0))])
def test_every_turn_agrees_with_the_twin(points, kind):
    chance = random.Random(f"{points} {kind}")
    game = SearchRace(checkpoints=points, laps=2)
    position, car = Position(game, game.start().to_dict()), twin.first(points)
    hits = 0
    while not car.done:
        assert position.fields() == car.fields()
        if kind == "driver" and chance.random() < 0.9:
            action = game.action_text(
                position.row, calls.script_action(game, "towards-target", position.row, ALL, generator(0))
            )
        else:
            action = random_action(car, chance, "ten" if kind == "driver" else kind)
        position.apply(position.answer(action))
        car = twin.play(car, points, 2, action)
        assert position.hits == car.hits, action
        hits += len(car.hits)
    assert position.fields() == car.fields()
    assert position.time == car.time
    assert position.is_over
    if kind == "driver":
        assert car.time < 600
        assert hits == 2 * len(points)


def test_cut_is_the_rule_at_the_edges():
    for whole in (0, 1, 2, 7, 818, 16000, 123456):
        for fraction in (0.0, 1e-5, 1 - 1e-5, _EDGE, math.nextafter(_EDGE, 2), 0.5, 0.25, 1 - 2**-53, 1e-12):
            value = whole + fraction
            for near in (value, math.nextafter(value, math.inf), math.nextafter(value, -math.inf)):
                assert cut(near) == twin.cut(near), near
                assert cut(-near) == twin.cut(-near), -near


def test_no_hit_is_ever_missed():
    """Cars that just touch, just miss, or stand on the edge: the quick test never rejects a turn with a hit."""
    game = SearchRace(checkpoints=((0, 0), (0, 0)))
    target = RaceSetup.at_address(game.setup.ctypes.data).targets[0]
    chance = random.Random(1)
    touched = spared = 0
    for _ in range(20_000):
        distance = 600 + chance.choice((0, 1e-9, 1, 30, 300, 1200)) * chance.random()
        angle, speed = chance.random() * 7, chance.choice((1e-14, 1, 80, 700, 1300)) * chance.random()
        away = angle + math.pi + chance.choice((0, 0.01, 0.3, math.asin(600 / max(600, distance)), 2))
        x, y = distance * math.cos(angle), distance * math.sin(angle)
        vx, vy = speed * math.cos(away), speed * math.sin(away)
        wait = twin.wait_for(x, y, vx, vy)
        is_hit = wait is not None and wait <= 1
        touched += is_hit
        spared += not may_hit(target, x, y, vx, vy)
        assert may_hit(target, x, y, vx, vy) or not is_hit, (x, y, vx, vy)
    assert touched > 1000
    assert spared > 1000


# ----------------------------------------------------------------------------------------------------------- quirks


def test_k1_speeds_that_are_whole_except_for_rounding_stay():
    game = turnwise.make("search-race")
    # 200 cos 60 is 100.00000000000001 and 0.85 * 100 = 85; -18 then snaps as well: plain truncation would give -17.
    state = state_of(game, angle=60)
    assert after(state, "EXPERT 0 200")["vx"] == 85
    assert cut(84.999995) == 85
    assert cut(84.99998) == 84
    assert cut(-818.99999999) == -819


def test_k2_overlapping_checkpoints_are_passed_in_the_same_instant():
    game = SearchRace(checkpoints=((0, 0), (100, 0)))
    position = Position(game, game.start().to_dict())
    position.apply(position.answer("EXPERT 0 0"))
    assert position.hits == [0.0] * 6
    assert position.is_won
    assert position.time == 0.0
    assert position.fields()["timer"] == 0


def test_k3_east_is_0_or_360_depending_on_how_it_was_reached():
    game = turnwise.make("search-race")
    east = [after(state_of(game, angle=342), "EXPERT 18 100"), after(state_of(game, angle=18), "EXPERT -18 100")]
    assert [state.pop("angle") for state in east] == [360, 0]
    assert east[0] == east[1]
    assert after(state_of(game, angle=360), "EXPERT 1 0")["angle"] == 1
    assert after(state_of(game, angle=0), "EXPERT -1 0")["angle"] == 359


def test_k4_aiming_at_oneself_cancels_the_thrust():
    game = turnwise.make("search-race")
    state = state_of(game, x=500, y=700, vx=0, vy=0, angle=77)
    assert after(state, "500 700 200") == after(state, "EXPERT 0 0")
    assert after(state, "501 700 200") != after(state, "EXPERT 0 0")


def test_k5_aims_thrust_along_the_exact_direction_and_round_the_heading_afterwards():
    game = turnwise.make("search-race")
    state = state_of(game, x=0, y=0, angle=10)
    moved = after(state, "10000 1855 200")  # 10.508 degrees
    assert moved["angle"] == 11
    assert (moved["x"], moved["y"]) == (196, 36)
    expert = after(state, "EXPERT 1 200")
    assert (expert["x"], expert["y"]) == (196, 38)


def test_a_race_is_lost_after_600_turns_and_won_in_the_last():
    game = turnwise.make("search-race")
    state = state_of(game, timer=599, x=-5000)
    lost = state.play("EXPERT 0 0")
    assert lost.is_over
    assert lost.to_dict()["timer"] == 600
    assert lost.returns == (-1000.0,)
    assert lost.turn == 600
    x, y = game.options.points[0]
    won = state_of(game, timer=599, cp=8, x=x + 650, y=y, vx=-200, vy=0).play("EXPERT 0 0")
    assert won.to_dict()["timer"] == 599
    assert won.to_dict()["col_time"] == 0.25
    assert won.returns == (-599.25,)
    assert won.turn == 600
    assert won.metrics(0) == {"time": 599.25, "checkpoints": 9.0, "turns": 599.0}
    with pytest.raises(IllegalActionError, match="over"):
        won.play("EXPERT 0 0")


# ----------------------------------------------------------------------------------------------------------- actions


@pytest.mark.parametrize("moves", ACTION_SETS)
def test_action_sets_list_in_order_and_everything_is_accepted(moves):
    game = turnwise.make("search-race", moves=moves)
    state = game.start()
    listed = state.legal_codes().tolist()
    assert listed == sorted(listed)
    assert len(listed) == game.max_actions == {"ten": 10, "grid": 35, "turns": 74, "all": 7437}[moves]
    assert {codes.turn_of(code) for code in listed} >= {-18, 0, 18}
    assert {codes.thrust_of(code) for code in listed} >= {0, 200}
    for text in ("EXPERT -17 3", "EXPERT 18 200", "-5 77 100", "100000000 -100000000 200"):
        assert state.is_legal(text)
        assert state.text(state.code(text)) == text
    assert not state.is_legal(-1)
    assert not state.is_legal(codes.END_OF_CODES)
    assert codes.END_OF_CODES < 2**63


def test_nearest_moves():
    game = turnwise.make("search-race")
    state = state_of(game, x=0, y=0, angle=0)
    near = lambda text: state.text(calls.call(game, "nearest", state.row, state.code(text)))  # noqa: E731
    assert near("EXPERT 5 101") == "EXPERT 9 200"
    assert near("EXPERT 4 100") == "EXPERT 0 0"
    assert near("EXPERT -14 199") == "EXPERT -18 200"
    assert near("EXPERT 9 0") == "EXPERT 9 0"
    assert near("-100 5 200") == "EXPERT 18 200"
    assert near("1000 0 200") == "EXPERT 0 200"
    assert near("0 0 200") == "EXPERT 0 0"


@pytest.mark.parametrize("moves", ACTION_SETS)
def test_variations_are_listed_close_and_reach_everything(moves):
    game = turnwise.make("search-race", moves=moves)
    state, rng = game.start(), generator(3)
    listed = set(state.legal_codes().tolist())
    begin, seen = state.code("EXPERT 0 0"), set()
    for _ in range(3000):
        found = calls.call(game, "neighbour_action", state.row, begin, rng.ctypes.data)
        assert found in listed
        assert abs(codes.turn_of(found)) <= max(4, ACTION_SETS[moves][0][1])
        seen.add(found)
    assert begin in seen  # thrust shifted below its least
    assert len(seen) >= {"ten": 6, "grid": 6, "turns": 15, "all": 200}[moves]
    reached, frontier = {begin}, [begin]
    if moves == "ten":
        while frontier:
            here = frontier.pop()
            new = {calls.call(game, "neighbour_action", state.row, here, rng.ctypes.data) for _ in range(60)} - reached
            reached |= new
            frontier += new
        assert reached == listed


def test_move_codes_distinguish_turns_and_moves():
    game = turnwise.make("search-race", moves="all")
    texts = [*game.start().legal_actions()[::500], "1 1 100", "2 1 100", "1 2 100", "1 1 101"]
    found = set()
    for timer in (0, 1, 2, 598, 599):
        state = state_of(game, timer=timer)
        found |= {calls.call(game, "move_code", state.row, state.code(text)) for text in texts}
    assert len(found) == 5 * len(texts)
    assert min(found) >= 0


def test_order_prefers_what_the_heuristic_prefers():
    """Far from any checkpoint the score orders moves as H does after them, except for the rounding of the new state."""
    game = turnwise.make("search-race", moves="grid")
    state = state_of(game, x=9000, y=3000, vx=-120, vy=40, angle=100)
    scored = [calls.call(game, "action_score", state.row, code) for code in state.legal_codes().tolist()]
    values = [state.play(int(code)).evaluate(0) for code in state.legal_codes()]
    best = int(np.argmax(scored))
    assert values[best] == pytest.approx(max(values), abs=1e-6)
    assert np.corrcoef(scored, values)[0, 1] > 0.99


def test_ten_moves_policy_is_uniform_over_the_thesis_moves_in_any_set():
    game = turnwise.make("search-race", moves="all")
    state, rng, nothing = game.start(), generator(1), np.zeros(1)
    drawn = [
        calls.call(game, "policy", state.row, 0, nothing.ctypes.data, rng.ctypes.data, nothing.ctypes.data)
        for _ in range(2000)
    ]
    counts = {text: drawn.count(state.code(text)) for text in turnwise.make("search-race").start().legal_actions()}
    assert sum(counts.values()) == 2000
    assert min(counts.values()) > 140


def test_the_rule_based_driver_finishes_every_track():
    total = 0.0
    for name in tracks():
        game = turnwise.make("search-race", track=name)
        row, rng = game.start().row.copy(), generator(0)
        while calls.call(game, "to_move", row) >= 0:
            calls.call(game, "apply", row, calls.script_action(game, "towards-target", row, ALL, rng), rng.ctypes.data)
        result = -turnwise.core.state.State(game, row).returns[0]
        assert result < 600, name
        total += result
    assert total == pytest.approx(13_000, abs=200)


# ------------------------------------------------------------------------------------------------------- evaluations


def test_h_is_the_thesis_formula():
    game = turnwise.make("search-race")
    x, y = game.options.points[2]
    state = state_of(game, cp=1, x=x + 300 + 60, y=y - 40 - 400, vx=-20, vy=40)
    distance = math.hypot(360 - 60, -440 + 120)
    assert state.evaluate(0) == pytest.approx((100 - 5 * math.log(distance)) / 900, abs=1e-15)
    assert state_of(game, cp=1, x=x, y=y).evaluate(0) == pytest.approx(100 / 900, abs=1e-15)
    won = game.from_dict({**game.start().to_dict(), "cp": 9, "timer": 83, "done": True, "col_time": 0.25})
    assert won.evaluate(0) == pytest.approx((9 - 83.25 / 600) / 9, abs=1e-15)


def test_the_lead_of_h_is_a_parameter():
    game = turnwise.make("search-race")
    x, y = game.options.points[2]
    state = state_of(game, cp=1, x=x + 300, y=y - 400, vx=-50, vy=100)
    distance = math.hypot(300 - 100, -400 + 200)
    assert state.evaluate(0, "progress(lead=2)") == pytest.approx((100 - 5 * math.log(distance)) / 900, abs=1e-15)
    assert state.evaluate(0, "progress(lead=3)") == state.evaluate(0)
    assert game.evaluation("progress(lead=3)")[1].low == game.evaluation("progress")[1].low
    fastest = state_of(game, x=16_000, vx=1133).evaluate(0, "progress(lead=1e9)")
    assert game.evaluation("progress(lead=1e9)")[1].low <= fastest < game.evaluation("progress")[1].low
    assert game.objective_of(1 - 60 / 600 / 9, "progress(lead=2)") == game.objective_of(1 - 60 / 600 / 9, "progress")


def test_route_counts_a_target_that_the_car_coasts_into():
    """A course of 4000, 8000, 8944, three times; the car goes right, and its value looks two turns of speed ahead."""
    points = ((0, 0), (4000, 0), (4000, 8000))
    game = SearchRace(checkpoints=points)
    back = math.dist(points[2], points[0])
    course = 3 * (4000 + 8000 + back)

    def value(goal, rest, x, y):
        distance = math.dist(goal, (x, y))
        heading_away = 800 * (1 - (goal[0] - x) / distance)
        return -(distance + rest + heading_away) / (course - 4000 + 5000)

    rolls_in = state_of(game, x=2000, y=0, vx=700, vy=0)
    passes_by = state_of(game, x=2000, y=700, vx=700, vy=0)
    assert rolls_in.evaluate(0, "route") == pytest.approx(value(points[2], course - 12_000, 3400, 0), abs=1e-4)
    assert passes_by.evaluate(0, "route") == pytest.approx(value(points[1], course - 4000, 3400, 700), abs=1e-4)
    assert rolls_in.evaluate(0, "route") > passes_by.evaluate(0, "route")


def test_route_rates_results_by_time():
    game = turnwise.make("search-race")
    finished = {**game.start().to_dict(), "cp": 9, "done": True}
    sooner = game.from_dict({**finished, "timer": 80, "col_time": 0.3}).evaluate(0, "route")
    later = game.from_dict({**finished, "timer": 80, "col_time": 0.4}).evaluate(0, "route")
    assert 1 > sooner > later > 0 > game.start().evaluate(0, "route")


@pytest.mark.parametrize("options", [{"moves": "grid", "laps": 1}, {"checkpoints": OVERLAPPING}, {"track": "test704"}])
def test_other_scenarios_keep_the_contract(options):
    check_game(SearchRace(**options), seed=2, states=20, without=["varied-results"])  # cars never arrive
