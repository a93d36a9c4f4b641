from collections import Counter
from itertools import combinations, pairwise, permutations
from math import comb

import numpy as np
import pytest

from doubles.arena_doubles import Plain
from turnwise.arena import make_schedule, make_spec, read_spec
from turnwise.arena.tournament.difference import differences
from turnwise.arena.tournament.sampled_tables import links_all, meetings, sampled_tables
from turnwise.arena.tournament.seating import seatings
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
        ({"pairing": "sampled"}, OptionError, "'meetings' is missing"),
        ({"meetings": 4}, OptionError, "'meetings' is given; 'meetings' belongs to pairing = 'sampled'"),
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
        (
            {"players": {"a": "plain"}},
            OptionError,
            "has 2 seats, so it needs at least 2 players; there is no meeting of 1 player in pairing",
        ),
        ({"games_per_pair": 3}, OptionError, "expected a multiple of 2, for example 4"),
        ({"games": ["toy:players=3"]}, OptionError, "from 6 seatings.*expected a multiple of 6, for example 6"),
        ({"pairing": "sampled", "meetings": 2}, OptionError, "do not link all 4 players .* at least 3, better 16"),
        ({"games": ["toy:players=1"], "pairing": "sampled", "meetings": 2}, OptionError, "expected at least 4"),
        (
            {"players": {f"p{n}": "plain" for n in range(100)}, "games": ["toy:players=3"]},
            OptionError,
            "100 players make 161,700 meetings .* pairing = 'sampled' and meetings = 400",
        ),
        ({"pairing": "tables", "tables": [["a", "b", "c"]]}, OptionError, "has 2 seats"),
        ({"games": ["toy", "toy:turns=8"]}, OptionError, "the same scenario"),
        ({"games": ["toy:players=1"], "common_starts": False, "games_per_pair": 1}, OptionError, "play alone"),
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


def test_meetings_can_have_starts_of_their_own():
    common, own = jobs(games_per_pair=6), jobs(games_per_pair=6, common_starts=False)
    starts = {}
    for job in own:
        starts.setdefault(job.start_seed, set()).add((job.group, frozenset(job.names)))
    assert len(starts) == 6 * 3  # three for each of six pairs
    assert all(len(users) == 1 for users in starts.values())  # a group: the same start from both seats
    assert [job.names for job in own] == [job.names for job in common]
    assert not {job.key for job in own} & {job.key for job in common}
    longer = jobs(games_per_pair=8, common_starts=False)
    assert longer[: len(own)] == own
    identities = [make_schedule(spec(common_starts=value)).identity for value in (True, False)]
    assert "common_starts" not in identities[0]  # tournaments recorded before there was a choice go on
    assert identities[1]["common_starts"] is False


def test_three_players_play_every_start_in_all_six_orders():
    listed = jobs(games=["toy:players=3"], games_per_pair=6)
    assert len(listed) == 4 * 6
    first = [job for job in listed if job.group == 0]
    assert {job.names for job in first} == set(permutations("abc"))
    assert len({job.start_seed for job in first}) == 1


@pytest.mark.parametrize("seats", range(1, 12))
def test_seatings_are_balanced_for_seats_and_neighbours(seats):
    found = seatings(seats)
    assert len(found) == (2 * seats if seats % 2 and seats > 1 else seats)
    assert all(sorted(seating) == list(range(seats)) for seating in found)
    each = len(found) // seats
    places = Counter((seat, player) for seating in found for seat, player in enumerate(seating))
    assert places == {(seat, player): each for seat in range(seats) for player in range(seats)}
    neighbours = Counter(pair for seating in found for pair in pairwise(seating))
    assert neighbours == dict.fromkeys(permutations(range(seats), 2), each)


def test_the_seatings_of_two_and_of_one_are_those_of_recorded_tournaments():
    assert seatings(1) == ((0,),)
    assert seatings(2) == ((0, 1), (1, 0))


@pytest.mark.parametrize(("entrants", "seats", "tables"), [(8, 4, 14), (6, 3, 10), (20, 4, 95), (9, 2, 18), (7, 3, 35)])
def test_sampled_tables_are_balanced(entrants, seats, tables):
    drawn = sampled_tables(entrants, seats, tables, 5)
    assert len(set(drawn)) == tables
    assert all(len(table) == seats and list(table) == sorted(set(table)) for table in drawn)
    met = meetings(entrants, drawn)
    assert met.diagonal().max() - met.diagonal().min() <= 1
    pairs = met[np.triu_indices(entrants, 1)]
    mean = tables * seats * (seats - 1) / (entrants * (entrants - 1))
    assert np.abs(pairs - mean).max() <= 2
    assert drawn == sampled_tables(entrants, seats, tables, 5)
    assert tables == comb(entrants, seats) or drawn != sampled_tables(entrants, seats, tables, 6)


def test_more_tables_than_combinations_cannot_be_drawn():
    with pytest.raises(ValueError, match="make 4 different tables of 3, not 5"):
        sampled_tables(4, 3, 5, 0)


def test_links():
    assert links_all(4, ((0, 1), (1, 2), (2, 3)))
    assert not links_all(4, ((0, 1), (2, 3)))


MANY = {f"p{number}": f"plain:salt={number}" for number in range(9)}


def test_sampled_pairing():
    few = {"games": ["toy:players=3"], "players": MANY, "pairing": "sampled", "meetings": 12, "games_per_pair": 6}
    listed = jobs(**few)
    tables = Counter(frozenset(job.names) for job in listed)
    assert set(tables.values()) == {6}
    assert len(tables) == 12
    assert Counter(name for table in tables for name in table) == dict.fromkeys(MANY, 4)
    assert {frozenset(job.names) for job in jobs(**few | {"seed": 1})} != set(tables)
    every = {frozenset(job.names) for job in jobs(**few | {"meetings": 84})}
    assert every == {frozenset(table) for table in combinations(MANY, 3)}


def test_recorded_tournaments_of_two_players_keep_their_identity():
    """Their keys are hashes of the identity, so fields that came later are only where they change a game."""
    listed = jobs()
    fields = ["format", "games", "players", "pairing", "seed", "max_turns", "forfeit_overrun"]
    assert list(make_schedule(spec()).identity) == fields
    assert list(make_schedule(spec(games=["toy:players=3"])).identity) == [*fields, "seatings"]
    assert [job.names for job in listed[:2]] == [("a", "b"), ("b", "a")]
    assert [job.number for job in listed[:4]] == [0, 1, 2, 3]


def test_a_changed_seating_or_number_of_meetings_is_named_as_a_difference():
    now = make_schedule(spec(games=["toy:players=3"], pairing="sampled", meetings=3)).identity
    was = {key: value for key, value in now.items() if key != "seatings"} | {"meetings": 4}
    assert differences(was, now) == ["meetings: 4 there, 3 now", "seatings: none there, Williams squares now"]


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
