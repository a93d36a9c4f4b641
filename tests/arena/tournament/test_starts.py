"""Tournaments that begin from given positions."""

import json

import pytest

import turnwise
from doubles.small_tournaments import spec
from turnwise.arena import make_schedule, open_results, run_tournament
from turnwise.arena.results.writing import ResultsMismatchError
from turnwise.core.errors import DamagedFileError, NotationError, OptionError

GAME = "toy:turns=4,chance=true"


def positions(count=3):
    """States after some random actions."""
    state, found = turnwise.make(GAME).start(5), []
    while len(found) < count:
        state = state.play(state.legal_codes()[-1])
        found.append(state)
    return found


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "openings.jsonl"
    states = positions()
    path.write_text(states[0].to_json() + "\n" + json.dumps(states[1].to_dict()) + "\n\n" + states[2].to_json() + "\n")
    return path


def first_states(path):
    with open_results(path) as results:
        return [(record.group, record.replay.start) for record in results]


def test_groups_of_games_begin_from_the_states_in_turn(tmp_path, file):
    players = {"a": "plain", "b": "plain:salt=1"}
    summary = run_tournament(spec(players=players, starts=str(file), games_per_pair=8), tmp_path / "r.db")
    assert summary.played == 8
    expected = [state.to_dict() for state in positions()]
    for number, (group, start) in enumerate(first_states(tmp_path / "r.db")):
        assert group == number // 2
        assert start == expected[group % 3]
    with open_results(tmp_path / "r.db") as results:
        seeds = [record.start_seed for record in results]
        assert len(set(seeds)) == 4  # the same state again has other chance
        assert len(results.spec.starts) == 3  # the states, not the name of a file
    again = run_tournament(spec(players=players, starts=results_starts(tmp_path), games_per_pair=8), tmp_path / "r.db")
    assert again.played == 0


def results_starts(folder):
    with open_results(folder / "r.db") as results:
        return results.spec.starts


def test_starts_are_part_of_the_identity_and_their_form_is_not(file, tmp_path):
    plain = make_schedule(spec())
    assert "starts" not in plain.identity
    from_file = make_schedule(spec(starts=str(file)))
    from_states = make_schedule(spec(starts=[state.to_dict() for state in positions()]))
    assert from_file.identity == from_states.identity
    other = make_schedule(spec(starts=[state.to_dict() for state in positions(2)]))
    hashes = {schedule.identity_hash for schedule in (plain, from_file, other)}
    assert len(hashes) == 3
    run_tournament(spec(starts=str(file)), tmp_path / "r.db")
    with pytest.raises(ResultsMismatchError, match="starts"):
        run_tournament(spec(), tmp_path / "r.db")


def test_listed_starts_are_common_ones(file):
    with pytest.raises(OptionError, match="common_starts = false but 'starts' is given"):
        spec(starts=str(file), common_starts=False)


def over():
    state = turnwise.make(GAME).start()
    while not state.is_over:
        state = state.play(state.legal_codes()[0])
    return state


@pytest.mark.parametrize(
    ("entry", "error", "words"),
    [
        ({"nothing": 1}, NotationError, "state 2"),
        (json.loads(turnwise.make("hero-academy").start().to_json()), OptionError, "state 2: it is a state of hero-ac"),
    ],
)
def test_an_entry_that_is_no_state_of_the_game_is_named(entry, error, words):
    with pytest.raises(error, match=words):
        make_schedule(spec(starts=[positions(1)[0].to_dict(), entry]))


def test_wrong_starts_are_refused(tmp_path, file):
    with pytest.raises(OptionError, match="state 1: the game is over"):
        make_schedule(spec(starts=[over().to_dict()]))
    with pytest.raises(OptionError, match="'games' has 2"):
        make_schedule(spec(starts=str(file), games=[GAME, "toy:turns=5"]))
    old = json.loads(positions(1)[0].to_json()) | {"rules": "0"}
    with pytest.raises(OptionError, match="rules version 0"):
        make_schedule(spec(starts=[old]))
    for content, words in (("", "empty"), ("[1]\n", "not an object"), ('{"a"\n', "line 1"), ("\x00\n", "line 1")):
        (tmp_path / "bad.jsonl").write_text(content)
        with pytest.raises(DamagedFileError, match=words):
            spec(starts=str(tmp_path / "bad.jsonl"))
    with pytest.raises(DamagedFileError, match="cannot be read"):
        spec(starts=str(tmp_path / "none.jsonl"))
    with pytest.raises(OptionError, match="starts"):
        spec(starts=[1, 2])
