from collections import Counter

import pytest

from doubles.arena_doubles import Plain
from turnwise.arena import make_schedule, make_spec, read_spec
from turnwise.core.errors import DamagedFileError, OptionError, TurnwiseError, UnknownNameError

FOUR = {"a": "plain", "b": "plain:salt=1", "c": "plain:salt=2", "d": "plain:salt=3"}


def spec(**changed):
    return make_spec(**({"games": ["toy"], "players": FOUR, "budget": "iterations=3"} | changed))


def jobs(**changed):
    return list(make_schedule(spec(**changed)).jobs())


TOML = """
name = "three"
games = "toy:turns=4"
budget = "iterations=3"
games_per_pair = 4
replays = 2

[players]
one = "plain"
two = "plain:salt=1"

[budgets]
two = "iterations=9"
"""


def test_a_file_is_read(tmp_path):
    path = tmp_path / "t.toml"
    path.write_text(TOML)
    read = read_spec(path)
    assert read.games == ("toy:turns=4",)
    assert list(read.players) == ["one", "two"]
    assert str(read.budget_of("one")) == "iterations=3"
    assert str(read.budget_of("two")) == "iterations=9"
    assert read.replays == 2
    assert not read.is_timed


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (b"games = [toy]", DamagedFileError, "not valid TOML"),
        (b"\xff\xfe\x00", DamagedFileError, "not UTF-8"),
        (b"#" * 2_000_000, DamagedFileError, "larger than"),
        (b"", OptionError, r"'games' is missing \(scenarios\).*'players' is missing.*'budget' is missing"),
        (TOML.replace("games =", "gamez =").encode(), OptionError, "there is no field 'gamez'; did you mean 'games'"),
        (
            TOML.replace("= 4", "= 0").encode(),
            OptionError,
            "games_per_pair = 0: expected a whole number from 1 to",
        ),
        (TOML.replace('iterations=3"', 'often"').encode(), OptionError, "Budget 'often'"),
        (TOML.replace('two = "iterations', 'tow = "iterations').encode(), UnknownNameError, "mean 'two'"),
        (TOML.replace("= 2\n", "= -2\n").encode(), OptionError, "replays"),
        (TOML.replace("name =", "pairing = 'gauntlet'\nname =").encode(), OptionError, "'challengers' is missing"),
        (TOML.replace("name =", "pools = [['one']]\nname =").encode(), OptionError, "'pools' is given"),
    ],
)
def test_all_errors_in_a_file_are_reported_in_one_message(tmp_path, content, error, words):
    path = tmp_path / "t.toml"
    path.write_bytes(content)
    with pytest.raises(error, match=words):
        read_spec(path)


def test_a_missing_file_and_a_folder_are_reported(tmp_path):
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(DamagedFileError, match="cannot be read"):
            read_spec(path)


@pytest.mark.parametrize(
    ("changed", "error", "words"),
    [
        ({"players": ["plain", "plain"]}, OptionError, "listed twice"),
        ({"games": ["toy", "toy"]}, OptionError, "listed twice"),
        ({"pairing": "tables", "tables": [["a", "a"]]}, OptionError, "listed twice in one"),
        ({"pairing": "tables", "tables": [["a", "x"]]}, UnknownNameError, "'x'"),
        ({"pairing": "swiss"}, OptionError, "pairing"),
        ({"forfeit_overrun": 0.5}, OptionError, "forfeit_overrun"),
    ],
)
def test_invalid_fields(changed, error, words):
    with pytest.raises(error, match=words):
        spec(**changed)


@pytest.mark.parametrize(
    ("changed", "error", "words"),
    [
        ({"games": ["toi"]}, UnknownNameError, "Did you mean 'toy'"),
        ({"players": {"a": "plane", "b": "plain"}}, UnknownNameError, "Did you mean 'plain'"),
        ({"players": {"a": "plain"}}, OptionError, "no meeting of 1 player in pairing"),
        ({"games_per_pair": 3}, OptionError, "expected a multiple of 2, for example 4"),
        ({"pairing": "tables", "tables": [["a", "b", "c"]]}, OptionError, "has 2 seats"),
        ({"games": ["toy", "toy:turns=8"]}, OptionError, "the same scenario"),
    ],
)
def test_errors_that_only_the_games_know_are_reported_before_the_first_game(changed, error, words):
    with pytest.raises(error, match=words):
        jobs(**changed)


def test_a_failed_import_is_reported():
    with pytest.raises(TurnwiseError, match="'no_such_module' cannot be imported"):
        make_schedule(spec(), ["no_such_module"])


def test_every_pair_meets_equally_often_from_every_seat_and_the_same_starts():
    listed = jobs(games_per_pair=6)
    assert len(listed) == 6 * 6 == len({job.key for job in listed})
    assert Counter(job.names for job in listed) == {(one, two): 3 for one in FOUR for two in FOUR if one != two}
    groups = {}
    for job in listed:
        groups.setdefault(job.group, []).append(job)
    for members in groups.values():
        assert len({job.start_seed for job in members}) == 1
        assert members[0].names == members[1].names[::-1]
    per_pair = {}
    for job in listed:
        per_pair.setdefault(frozenset(job.names), set()).add(job.start_seed)
    assert len({frozenset(seeds) for seeds in per_pair.values()}) == 1
    assert all(len(seeds) == 3 for seeds in per_pair.values())
    assert len({seed for job in listed for seed in job.seeds}) == 2 * len(listed)


def test_three_seats_rotate():
    listed = jobs(games=["toy:players=3"], games_per_pair=3)
    assert len(listed) == 4 * 3
    first = [job.names for job in listed if job.group == 0]
    assert first == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]


def test_gauntlet_pools_and_tables():
    def meetings(**changed):
        return {frozenset(job.names) for job in jobs(**changed)}

    assert meetings(pairing="gauntlet", challengers=["b", "c"]) == {
        frozenset(pair) for pair in ("ba", "bd", "ca", "cd")
    }
    assert meetings(pairing="pools", pools=[["a", "b"], ["b", "c", "d"]]) == {
        frozenset(pair) for pair in ("ab", "bc", "bd", "cd")
    }
    assert meetings(pairing="tables", tables=[["d", "a"]]) == {frozenset("ad")}


@pytest.mark.parametrize("games", [["toy"], ["toy", "toy:players=3", "toy:turns=4"], ["toy:players=1"]])
def test_more_games_per_pair_only_add(games):
    few, many = jobs(games=games, games_per_pair=6), jobs(games=games, games_per_pair=12)
    assert len(many) == 2 * len(few)
    by_key = {job.key: job for job in many}
    assert all(by_key[job.key] == job for job in few)
    assert [job.number for job in many] == sorted({job.number for job in many})


def test_what_identifies_a_tournament():
    base = make_schedule(spec()).identity_hash
    for same in ({"name": "x"}, {"games_per_pair": 4}, {"replays": "none"}, {"notes": "none"}):
        assert make_schedule(spec(**same)).identity_hash == base
    same_players = {"a": "plain:salt=0", "b": "plain:salt=1", "c": "plain:salt=2", "d": "plain:salt=3"}
    assert make_schedule(spec(players=same_players)).identity_hash == base
    for other in (
        {"seed": 1},
        {"games": ["toy:turns=9"]},
        {"budget": "iterations=4"},
        {"budgets": {"a": "iterations=4"}},
        {"players": FOUR | {"a": "plain:salt=9"}},
        {"max_turns": 5},
        {"forfeit_overrun": 2},
        {"pairing": "gauntlet", "challengers": ["a"]},
    ):
        assert make_schedule(spec(**other)).identity_hash != base


def test_a_changed_default_changes_the_identity(monkeypatch):
    before = make_schedule(spec()).identity_hash

    class Other(Plain.Parameters):
        depth: int = 3

    monkeypatch.setattr(Plain, "Parameters", Other)
    assert make_schedule(spec()).identity_hash != before


def test_replays_are_kept_for_the_first_games_of_every_meeting():
    kept = Counter(frozenset(job.names) for job in jobs(games_per_pair=6, replays=3) if job.keep_replay)
    assert set(kept.values()) == {3}
    assert len(kept) == 6
    assert not any(job.keep_replay for job in jobs(replays="none"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('two = "iterations=9"', 'three = "iterations=9"'),
        ('budget = "iterations=3"', 'budget = "time=-3"'),
        ("games_per_pair = 4", 'games_per_pair = "x"'),
    ],
)
def test_every_message_about_a_file_names_it(tmp_path, old, new):
    path = tmp_path / "league.toml"
    path.write_text(TOML.replace(old, new))
    with pytest.raises(TurnwiseError, match=r"league\.toml"):
        read_spec(path)
