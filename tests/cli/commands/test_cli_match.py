"""``match``: games without a results file."""

import pytest

from doubles.cli_samples import TINY
from doubles.counting_game import Counting
from turnwise import GAMES
from turnwise.replay import read_replay


def test_a_match_is_shown_turn_by_turn(cli):
    shown = cli("match", TINY, "heuristic", "random", "-b", "iterations=5")
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[0].startswith("player 1 (heuristic): ")
    assert lines[0].endswith("; end")
    assert lines[1].startswith("player 2 (random): ")
    assert lines[-1].startswith("Game 1: ")


def test_seats_rotate_and_points_add_up(cli):
    facts = cli("match", TINY, "heuristic", "random", "-b", "iterations=5", "--games", 4, "--seed", 7, "--json").json
    assert set(facts) == {"game", "players", "budget", "seed", "scores", "games", "errors"}
    assert [game["seats"][0] for game in facts["games"]] == ["heuristic", "random"] * 2
    starts = [game["start_seed"] for game in facts["games"]]
    assert starts[0] == starts[1] != starts[2] == starts[3]
    assert sum(facts["scores"].values()) == 4
    assert all(sum(game["scores"]) == 1 for game in facts["games"])


class ThreeCounters(Counting):
    players, turns = 3, 3


@pytest.mark.parametrize(("games", "balanced"), [(1, None), (5, 6), (6, None), (7, 12)])
def test_unbalanced_seatings_are_noted(cli, games, balanced):
    GAMES._classes[ThreeCounters.name] = ThreeCounters  # the fixture same_registries removes it
    shown = cli("match", "three-counters", *["random"] * 3, "-b", "iterations=1", "-q", "--json", "--games", games)
    assert (shown.code, len(shown.json["games"])) == (0, games)
    assert ("Note: " in shown.err) == (balanced is not None)
    if balanced is not None:
        assert f"{games % 6} of 6 seatings. For all of them give --games {balanced}." in shown.err


def test_a_planner_that_cannot_play_is_refused_before_the_first_game(cli, tmp_path):
    """Its games would all be forfeited."""
    cannot = ("mcts:evaluation=nothing-such", "random", "-b", "iterations=5")
    cli("match", TINY, *cannot, "--out", "game.json").refused("nothing-such", "No game has been played now")
    assert not (tmp_path / "game.json").exists()


def test_a_planner_may_play_itself(cli):
    facts = cli("match", TINY, "random", "random", "-b", "iterations=5", "--json").json
    assert facts["players"] == ["random #1", "random #2"]


def test_replays_are_saved_and_not_overwritten(cli, tmp_path):
    command = ("match", TINY, "random", "heuristic", "-b", "iterations=5", "-q", "--out", "game.json")
    assert cli(*command).code == 0
    replay = read_replay((tmp_path / "game.json").read_text())
    assert len(list(replay.states())) == len(replay.steps) + 1
    before = (tmp_path / "game.json").read_bytes()
    cli(*command).refused("game.json", "--force")
    assert (tmp_path / "game.json").read_bytes() == before
    assert cli(*command, "--force", "--seed", 1).code == 0
    assert (tmp_path / "game.json").read_bytes() != before
    assert cli(*command, "--games", 2).code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"game.json", "game-1.json", "game-2.json"}


def test_an_interrupted_match_shows_the_finished_games(cli, monkeypatch):
    from turnwise.arena import match

    played = []

    def play_two(*arguments, **more):
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(original(*arguments, **more))
        return played[-1]

    original = match.play_game
    monkeypatch.setattr(match, "play_game", play_two)
    shown = cli("match", TINY, "random", "heuristic", "-b", "iterations=5", "--games", 5, "--json")
    assert shown.code == 130
    assert len(shown.json["games"]) == 2
    assert "Interrupted: 2 of 5 games ended.\n" in shown.err
    saved = cli("match", TINY, "random", "heuristic", "-b", "iterations=5", "--games", 5, "--out", "game.json")
    assert "Interrupted: 0 of 5 games ended.\n" in saved.err
    played.clear()
    saved = cli("match", TINY, "random", "heuristic", "-b", "iterations=5", "--games", 5, "--out", "game.json")
    assert "Interrupted: 2 of 5 games ended; their replays are saved.\n" in saved.err


def test_wrong_seats_and_places(cli, tmp_path):
    cli("match", TINY, "random", "-b", "iterations=1").refused("2 seats", "got 1")
    cli("match", TINY, "random", "random", "-b", "3 apples").refused("3 apples")
    save = ("match", TINY, "random", "random", "-b", "iterations=1", "--out")
    cli(*save, "no/such/game.json").refused("no folder")
    cli(*save, tmp_path).refused("is a folder")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("games", [1, 2])
def test_no_partial_file_when_the_disk_is_full(cli, tmp_path, monkeypatch, games):
    import errno
    import os

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    shown = cli("match", TINY, "random", "random", "-b", "iterations=1", "-q", "--games", games, "--out", "g.json")
    assert shown.code == 2
    assert "No space left" in shown.err
    assert not list(tmp_path.iterdir())


def test_a_single_player_game_is_shown_action_by_action_with_its_result(cli):
    shown = cli("match", "samegame:board=7", "random", "-b", "iterations=1", "--out", "game.json")
    assert shown.code == 0, shown.err
    with open("game.json") as file:
        replay = read_replay(file.read())
    *turns, end = shown.out.splitlines()
    assert turns == [f"player 1 (random): {step.action}" for step in replay.steps]
    score = list(replay.states())[-1].metrics(0)["score"]
    assert end.startswith(f"Game 1: score {score:,.0f} (")
    assert "won" not in end


def test_several_single_player_games_end_with_their_mean(cli):
    command = ("match", "samegame:board=7", "random", "-b", "iterations=1", "--games", 3)
    scores = [game["score"] for game in cli(*command, "--json").json["games"]]
    assert len(set(scores)) > 1
    shown = cli(*command, "-q").out
    assert "samegame: means" in shown
    assert f"{sum(scores) / 3:,.0f} (" in shown
    assert "won" not in shown
    race = cli("match", "search-race:track=test7", "random", "-b", "iterations=1", "-q").out
    assert race.startswith("Game 1: time 1,000 (turn limit)")


def test_a_planner_has_its_registered_name_everywhere(cli, monkeypatch):
    from turnwise.registry import PLANNERS, planner

    class Loose:
        def plan(self, state, budget, seed=0):
            return planner("random").plan(state, budget, seed)

    monkeypatch.setitem(PLANNERS._classes, "loose-one", Loose)
    shown = cli("match", TINY, "loose-one", "random", "-b", "iterations=1", "--games", 2)
    assert shown.code == 0
    assert "loose-one" in shown.out
    assert "Loose" not in shown.out
