import json
from types import SimpleNamespace

import pytest
from orchard import OrchardGame

import turnwise
from doubles.arena_doubles import GEMS, first_turn, whole_turn
from turnwise.arena import Ending, MatchRules, play_game
from turnwise.arena.match import ended
from turnwise.core.budget import CLOCKS
from turnwise.core.errors import GameFunctionError, OptionError
from turnwise.search.plan import Plan, SearchReport

TOY = "toy:turns=12"


class First:
    """The smallest planner: an object with ``plan``."""

    def __init__(self):
        self.seen = []

    def plan(self, state, budget, seed=0):
        self.seen.append((state, budget, seed))
        return first_turn(state)


class Mirror(First):
    """A player that only waits; two of them draw."""

    def plan(self, state, budget, seed=0):
        return whole_turn(state, lambda codes, i: next((c for c in codes if c == 99 or c % 4 == 3), codes[0]))


class Clock:
    """A clock that only sleep advances."""

    def __init__(self):
        self.nanoseconds = 0

    def now(self):
        return self.nanoseconds

    def sleep(self, seconds):
        self.nanoseconds += round(seconds * 1e9)


@pytest.fixture
def clock(monkeypatch):
    """The clock of all budgets: it stands still but for the sleep of slow players, so a busy machine slows nobody."""
    clock = Clock()
    monkeypatch.setitem(CLOCKS, "wall", clock.now)
    monkeypatch.setattr("doubles.arena_doubles.time", clock)
    return clock


def dump(record):
    """A record without wall times."""
    data = json.loads(record.model_dump_json())
    data.pop("seconds")
    for step in data["replay"]["steps"]:
        (step["note"] or {}).pop("seconds", None)
    for seat in data["seats"]:
        for cost in seat["costs"]:
            cost.pop("seconds")
    return data


@pytest.mark.parametrize("game", [TOY, "toy:chance=true,turns=12", "toy:players=3", "fog:chance=true"])
def test_equal_seeds_give_equal_games_and_the_replay_leads_to_the_same_end(game):
    count = turnwise.make(game).players
    players = [f"plain:salt={i + 1}" for i in range(count)]
    one = play_game(game, players, "iterations=5", seed=3)
    assert dump(one) == dump(play_game(game, players, "iterations=5", seed=3))
    assert dump(one) != dump(play_game(game, players, "iterations=5", seed=4))
    *_, last = one.replay.states()
    assert last.is_over
    assert last.returns == one.replay.returns == tuple(seat.result for seat in one.seats)
    assert [seat.player for seat in one.seats] == players == list(one.replay.players)


def test_the_best_wins_and_the_others_are_ranked():
    record = play_game("toy:players=3,turns=9", ["plain", "plain:salt=1", "plain:salt=2"], "iterations=1", seed=2)
    assert record.ending is Ending.WON
    results = [seat.result for seat in record.seats]
    assert len(set(results)) == 3
    assert [seat.rank for seat in record.seats] == [1 + sum(o > r for o in results) for r in results]
    assert [seat.score for seat in record.seats] == [float(r == max(results)) for r in results]
    assert record.turns == 9


@pytest.mark.parametrize(
    ("returns", "word", "ending"),
    [
        ((1.0, 0.0, 0.0), "", Ending.WON),
        ((1.0, 1.0, 0.0), "", Ending.SHARED),
        ((1.0, 1.0, 0.0), "turn limit", Ending.SHARED),
        ((1.0, 1.0, 1.0), "", Ending.DRAWN_BY_RULE),
        ((0.5, 0.5), "turn limit", Ending.DRAWN_BY_LIMIT),
    ],
)
def test_a_win_of_some_players_is_shared_and_no_draw(returns, word, ending):
    game = SimpleNamespace(ending_text=lambda row: word)
    assert ended(SimpleNamespace(returns=returns, game=game, row=None)).ending is ending


@pytest.mark.parametrize(
    ("game", "limit", "ending", "detail"),
    [
        ("toy:turns=4", None, Ending.DRAWN_BY_RULE, ""),
        ("fog:turns=4,word=stalemate", None, Ending.DRAWN_BY_RULE, "stalemate"),
        ("fog:turns=4,word=turn limit", None, Ending.DRAWN_BY_LIMIT, "turn limit"),
        ("toy:turns=40", 3, Ending.DRAWN_BY_LIMIT, "stopped after 3 turns"),
    ],
)
def test_draws_are_named_by_their_cause(game, limit, ending, detail):
    record = play_game(game, [Mirror(), Mirror()], "iterations=1", rules=MatchRules(max_turns=limit))
    assert (record.ending, record.detail) == (ending, detail)
    assert [(s.score, s.rank) for s in record.seats] == [(0.5, 1), (0.5, 1)]
    assert record.turns == (limit or 4)


def test_a_limit_of_the_arena_shares_the_point_whatever_the_returns_say():
    record = play_game("toy:players=3,turns=40", ["plain"] * 3, "iterations=1", rules=MatchRules(max_turns=5))
    assert len({seat.result for seat in record.seats}) > 1
    assert [seat.score for seat in record.seats] == [pytest.approx(1 / 3)] * 3


@pytest.mark.parametrize(
    ("kind", "ending", "words"),
    [
        ("raise", Ending.EXCEPTION, "ZeroDivisionError: thinking of <object object> failed"),
        ("exit", Ending.EXCEPTION, "SystemExit: 3"),
        ("illegal", Ending.ILLEGAL_ACTION, "is not legal"),
        ("illegal-list", Ending.ILLEGAL_ACTION, "'0left' is not legal here"),
        ("huge", Ending.ILLEGAL_ACTION, "is not legal"),
        ("empty", Ending.EXCEPTION, "returned an empty plan"),
        ("text", Ending.EXCEPTION, "expected a Plan or a list"),
        ("none", Ending.EXCEPTION, "expected a Plan or a list"),
        ("slow", Ending.TIME_OVERRUN, "10 ms were allowed"),
    ],
)
def test_a_faulty_player_forfeits(kind, ending, words, clock):
    rules = MatchRules(forfeit_overrun=5)
    for seat in (0, 1, 2):
        players = ["plain"] * 3
        players[seat] = f"faulty:kind={kind}"
        record = play_game("toy:players=3,turns=12", players, "time=10ms", rules=rules)
        assert record.ending is ending
        assert words in record.detail
        assert f"(seat {seat + 1})" in record.detail
        assert [s.score for s in record.seats] == [0.0 if s == seat else 0.5 for s in range(3)]
        assert [s.rank for s in record.seats] == [3 if s == seat else 1 for s in range(3)]


def test_overruns_are_recorded_and_forfeit_only_if_agreed(clock):
    record = play_game("toy:turns=6", ["faulty:kind=slow", First()], "time=30ms")
    assert record.ending in (Ending.WON, Ending.DRAWN_BY_RULE)
    slow, quick = record.seats
    assert [cost.overrun > 0.05 for cost in slow.costs] == [False, True, True]
    assert all(cost.overrun == pytest.approx(cost.seconds - 0.03) for cost in slow.costs[1:])
    assert all(cost.overrun == 0 for cost in quick.costs)


def test_a_budget_per_action_grants_its_time_to_every_action(clock):
    record = play_game("toy:turns=6", ["faulty:kind=slow", First()], "time=50ms/action")
    assert all(cost.actions == 4 for cost in record.seats[0].costs)
    assert all(cost.overrun == 0 for cost in record.seats[0].costs)


def test_replanning_in_mid_turn_adds_up_to_one_overrun(clock):
    class Step(First):
        def plan(self, state, budget, seed=0):
            clock.sleep(0.02)
            return first_turn(state)[:1]

    costs = play_game("toy:turns=2", [Step(), First()], "time=30ms").seats[0].costs
    assert len(costs) == 4
    assert sum(c.overrun for c in costs) == pytest.approx(sum(c.seconds for c in costs) - 0.03)
    assert sum(c.seconds for c in costs) == pytest.approx(0.08)


def test_a_player_sees_its_view_and_not_the_true_chance():
    spy = First()
    record = play_game("fog:chance=true", [spy, First()], "iterations=1", seed=9)
    truth = list(record.replay.states())
    assert any(int(state.row[GEMS]) for state in truth)
    assert all(int(state.row[GEMS]) == 0 for state, _, _ in spy.seen)
    start = turnwise.make("fog:chance=true").start(9)
    assert spy.seen[0][0].chance != start.chance
    assert len({seed for _, _, seed in spy.seen}) == len(spy.seen)


def test_a_plan_that_chance_invalidates_is_no_forfeit():
    """The target of a second strike in a plan may already be gone."""
    for seed in range(30):
        game = "toy:chance=true,turns=16,points=6"
        record = play_game(game, ["plain", "plain:salt=1"], "iterations=1", seed=seed)
        assert record.ending in (Ending.WON, Ending.DRAWN_BY_RULE), record.detail


def test_an_illegal_action_after_legal_ones_is_the_planners_fault():
    class Late(First):
        def plan(self, state, budget, seed=0):
            return Plan((*first_turn(state)[:2], 12345), ("?",) * 3)

    record = play_game(TOY, [First(), Late()], "iterations=1")
    assert record.ending is Ending.ILLEGAL_ACTION
    assert [step.player for step in record.replay.steps].count(1) == 2


def test_every_player_has_its_own_budget():
    spies = [First(), First()]
    play_game("toy:turns=4", spies, ["iterations=1", "forward=7/action"])
    assert {str(budget) for _, budget, _ in spies[0].seen} == {"iterations=1"}
    assert {str(budget) for _, budget, _ in spies[1].seen} == {"forward=7/action"}


def test_notes_hold_the_planners_data():
    class Thinker(First):
        def plan(self, state, budget, seed=0):
            from turnwise.search.plan import Alternative

            codes = first_turn(state)
            others = tuple(Alternative(("end",), float(i)) for i in range(9))
            report = SearchReport(0.5, 3, 4, 5, "budget", {"depth": 2, "bad": float("inf")})
            return Plan.of(state, codes, value=float("nan"), alternatives=others, report=report)

    kept = {}
    for notes in ("full", "plans", "none"):
        record = play_game("toy:turns=2", [Thinker(), First()], "iterations=1", rules=MatchRules(notes=notes))
        kept[notes] = [step.note for step in record.replay.steps]
        assert record.seats[0].costs[0].details == {"depth": 2.0}
        json.loads(record.model_dump_json(), parse_constant=pytest.fail)
    assert kept["none"] == [None] * len(kept["none"])
    note = kept["full"][0]
    assert (note.value, note.iterations, note.evaluations, note.forward_calls) == (None, 5, 4, 3)
    assert len(note.alternatives) == 5
    assert note.plan == tuple(s.action for s in record.replay.steps[:4])
    assert kept["full"][1] is None
    assert kept["plans"][0].alternatives == ()
    assert kept["plans"][0].plan == note.plan


def test_an_interrupted_search_ends_the_game_without_a_record():
    with pytest.raises(KeyboardInterrupt):
        play_game(TOY, ["plain", "faulty:kind=interrupt"], "iterations=1")


def test_an_error_of_the_game_is_no_forfeit():
    with pytest.raises(GameFunctionError, match="the fog is broken"):
        play_game("fog:broken=true", ["plain", "plain"], "iterations=1")


def test_a_given_start_and_names():
    game = turnwise.make(TOY)
    start = game.start(1).play("0right")
    record = play_game(game, ["plain", "plain"], "iterations=1", start=start)
    assert record.replay.start == start.to_dict()
    assert [seat.player for seat in record.seats] == ["plain #1", "plain #2"]


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"players": ["plain"]}, "has 2 seats; got 1 player"),
        ({"budget": ["iterations=1"]}, "has 2 seats; got 1 budget"),
        ({"budget": None}, "The budget must be a Budget or its text, .* or a list of them, one per seat; got None"),
        ({"seeds": [1, 2, 3]}, "has 2 seats; got 3 seeds"),
        ({"names": ["a"]}, "has 2 seats; got 1 name"),
        ({"start": "other"}, "not of toy"),
    ],
)
def test_wrong_arguments_are_reported(changed, words):
    arguments = {"players": ["plain", "plain"], "budget": "iterations=1"} | changed
    if "start" in changed:
        arguments["start"] = turnwise.make("toy:turns=3").start(0)
    with pytest.raises(OptionError, match=words):
        play_game(TOY, **arguments)


def test_the_observer_sees_every_step():
    seen = []
    record = play_game(TOY, ["plain", "plain"], "iterations=1", observer=lambda state, step: seen.append(step))
    assert tuple(seen) == record.replay.steps


@pytest.mark.parametrize("given", [lambda: "orchard", OrchardGame], ids=["text", "object"])
def test_a_start_may_come_from_another_game_object(given):
    """Rows of a game in plain Python are not valid for another object of the same scenario."""
    turnwise.GAMES.add("orchard", OrchardGame)
    start = OrchardGame().start(seed=8)
    own = play_game(start.game, ["greedy-action", "random"], "iterations=2", seed=3, start=start)
    other = given()
    if isinstance(other, OrchardGame):
        other.start(seed=1).play("rest")  # so that its first state is not the other object's
    record = play_game(other, ["greedy-action", "random"], "iterations=2", seed=3, start=start)
    assert record.replay.start == start.to_dict()
    assert [(s.action, s.outcomes) for s in record.replay.steps] == [(s.action, s.outcomes) for s in own.replay.steps]
