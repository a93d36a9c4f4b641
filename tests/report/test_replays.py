from collections import Counter

import pytest

from doubles.packed_games import frame, unpack
from turnwise.arena import play_game
from turnwise.arena.records import Ending
from turnwise.replay import Note, ReplayStep
from turnwise.report.replays import choose, embed, embed_replays, note_dict, pack, spread


@pytest.fixture(scope="module")
def finished():
    """A real game that was played to its end and won."""
    for seed in range(20):
        record = play_game(
            "hero-academy:map=a-tiny,deck=tiny,turn-limit=30", ["heuristic", "random"], "iterations=5", seed=seed
        )
        if record.ending is Ending.WON:
            return record
    raise AssertionError("no game was won")


def test_every_state_is_drawn_as_the_game_draws_it(games):
    record = games[0]
    packed = unpack(embed(record))
    states = list(record.replay.states())
    game = record.replay.make_game()
    actions = [None, *(step.action for step in record.replay.steps)]
    assert len(packed["frames"]) == len(states) == len(packed["steps"]) + 1
    for number, (state, action) in enumerate(zip(states, actions, strict=True)):
        assert frame(packed, number) == game.svg(state.row, action)
    assert [step["t"] for step in packed["steps"]] == [state.turn for state in states[:-1]]
    assert [game.turn_text(step["t"]) for step in packed["steps"]] == [
        f"{packed['turn'][0]} {step['t'] - packed['turn'][1] + 1}" for step in packed["steps"]
    ]
    assert packed["stopped"] == ""


def test_the_curve_compares_with_the_beginning():
    """An evaluation that rates what has changed since the root of a search would be 0 everywhere without it."""
    record = play_game("tribes:side=8,limit=8", ["script:script=tribes-rules", "random"], "iterations=1", seed=3)
    values = unpack(embed(record))["values"][0]
    states = list(record.replay.states())
    assert values[0] == 0
    assert values[-1] == pytest.approx(states[-1].evaluate(0, root=states[0]), rel=1e-5)
    assert len(set(values)) > 5


def test_notes_belong_to_the_step_they_were_made_before(games):
    packed = pack(games[0])
    for step, shown in zip(games[0].replay.steps, packed["steps"], strict=True):
        assert (step.note is None) == (shown["n"] == -1)
        if step.note is not None:
            assert packed["notes"][shown["n"]]["plan"] == list(step.note.plan)


def test_numbers_that_json_has_no_word_for_become_null():
    note = Note(value=float("inf"), alternatives=((("end",), float("nan")),), details={"depth": float("-inf")})
    shown = note_dict(note)
    assert (shown["value"], shown["others"][0][1], shown["details"]["depth"]) == (None, None, None)


def test_a_long_game_stays_small(make_game):
    record = make_game(("mcts", "greedy-turn"), 7, most_steps=400)
    packed = pack(record)
    plain = sum(len(frame(packed, number)) for number in range(len(packed["frames"])))
    assert len(packed["frames"]) > 300
    assert len(embed(record).data) < plain / 50
    assert len(embed(record).data) < 200_000


def test_the_choice_is_fair(games):
    assert all(number == 2 for number in Counter(embed_pair(games, 12)).values())
    assert len(set(embed_pair(games, 6))) == 6
    assert len(set(embed_pair(games, 3))) == 3
    seatings = Counter(tuple(seat.player for seat in record.seats) for _, record in choose({"": games}, 12))
    assert set(seatings.values()) == {1}
    assert choose({"": games}, 12) == choose({"": games[::-1]}, 12)
    assert len(choose({"": games}, 1000)) == len(games)
    assert choose({"": games}, 0) == choose({}, 5) == []


def embed_pair(games, number):
    return [frozenset(seat.player for seat in record.seats) for _, record in choose({"": games}, number)]


def test_spread_covers_the_whole_range():
    assert spread(10, 2) == [2, 7]
    assert spread(3, 5) == [0, 1, 2]


def test_readings_are_kept_apart(games):
    replays = embed_replays({"first": games[:6], "second": games[:6]}, 4)
    assert Counter(game.reading for game in replays.games) == {"first": 2, "second": 2}
    assert replays.total == 12


def test_games_that_cannot_be_shown_are_named(games):
    foreign = games[0].model_copy(update={"replay": games[0].replay.model_copy(update={"rules": "other"})})
    silent = games[1].model_copy(update={"replay": games[1].replay.model_copy(update={"steps": ()})})
    replays = embed_replays({"": [foreign, silent, games[2]]}, 5)
    assert len(replays.games) == 1
    assert "rules version other" in " ".join(reason for _, reason in replays.skipped)
    assert "among the 2 of 3 games whose actions were kept" in replays.rule


def test_the_choice_is_among_games_whose_actions_were_kept(games):
    kept = {games[0].key, games[7].key}
    silent = games[0].replay.model_copy(update={"steps": ()})
    played = [game if game.key in kept else game.model_copy(update={"replay": silent}) for game in games]
    replays = embed_replays({"": played}, 20)
    assert (len(replays.games), replays.skipped, replays.total) == (2, (), len(games))
    nothing = embed_replays({"": [game for game in played if game.key not in kept]}, 20)
    assert (nothing.games, nothing.skipped) == ((), ())
    assert "among the 0 of 34 games" in nothing.rule


def test_a_damaged_step_ends_the_recording_there(games):
    steps = list(games[0].replay.steps[:5])
    steps[3] = ReplayStep(action="drop KN>4,2", player=steps[3].player)
    replay = games[0].replay.model_copy(update={"steps": tuple(steps)})
    packed = pack(games[0].model_copy(update={"replay": replay}))
    assert len(packed["steps"]) == 3
    assert "drop KN>4,2" in packed["stopped"]


@pytest.mark.parametrize(
    ("change", "seat", "words"),
    [
        ({}, {}, ""),
        ({}, {"result": -1.0}, "the stored result is"),
        ({}, {"score": 0.0}, "the stored scores"),
        ({}, {"rank": 2}, "the stored scores"),
        ({"ending": Ending.DRAWN_BY_RULE}, {}, "stored as drawn by rule"),
        ({"ending": Ending.ILLEGAL_ACTION}, {"rank": 2}, ""),  # only the record knows who forfeited
    ],
)
def test_a_stored_result_is_compared_with_what_the_actions_lead_to(finished, change, seat, words):
    winner = min(finished.seats, key=lambda one: one.rank)
    seats = tuple(one.model_copy(update=seat) if one is winner else one for one in finished.seats)
    replays = embed_replays({"": [finished.model_copy(update={"seats": seats, "key": "k-17"} | change)]}, 1)
    if not words:
        assert replays.doubts == ()
        return
    (doubt,) = replays.doubts
    assert doubt.startswith("Game k-17: ")
    assert words in doubt


def test_a_shortened_game_is_doubted(finished):
    replay = finished.replay.model_copy(update={"steps": finished.replay.steps[:-1], "returns": ()})
    seats = tuple(one.model_copy(update={"result": 0.0}) for one in finished.seats)
    short = finished.model_copy(update={"replay": replay, "seats": seats, "key": "k-18"})
    (doubt,) = embed_replays({"": [short]}, 1).doubts
    assert "k-18" in doubt


def test_the_room_for_games_is_bounded(games):
    one = len(embed(games[0]).data)
    replays = embed_replays({"": games}, 12, largest_total=4 * one)
    assert 1 <= len(replays.games) < 12
    assert sum(len(game.data) for game in replays.games) <= 4 * one
    assert len(replays.games) + len(replays.skipped) == 12


def test_the_curves_hold_the_evaluation_for_the_first_player_and_the_metrics(games):
    packed = pack(games[0])
    states = list(games[0].replay.states())
    assert packed["evaluation"] == "heuristic"
    assert packed["values"] == [[float(f"{state.evaluate(0):.6g}") for state in states]]
    assert len({*packed["values"][0]}) > 5
    metrics = dict(packed["metrics"])
    assert tuple(metrics) == states[0].game.metrics
    assert metrics["cards"] == [[state.metrics(seat)["cards"] for state in states] for seat in (0, 1)]
