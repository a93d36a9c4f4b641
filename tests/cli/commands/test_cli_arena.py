"""``tournament``, ``report`` and ``export``."""

import csv
import html
import re
import shlex
import sqlite3
from contextlib import closing

import pytest

from doubles.cli_samples import TINY
from turnwise.cli.ui.progress import ProgressMeter

SPEC = f"""
name = "small"
games = "{TINY}"
players = ["heuristic", "random"]
budget = "iterations=5"
games_per_pair = 4
"""


@pytest.fixture
def played(cli, tmp_path):
    """A finished tournament's results."""
    (tmp_path / "small.toml").write_text(SPEC)
    assert cli("tournament", "small.toml").code == 0
    return tmp_path / "small.sqlite"


@pytest.mark.parametrize(
    ("was", "now", "part"),
    [
        ('"random"]', '"mcts:q=0.3"]', "the parameter 'q' is now called"),
        ('"random"]', '"mtcs"]', "Did you mean 'nmcs' or 'mcts'"),
        (TINY, "heroacademy", "Did you mean 'hero-academy'"),
        ("= 4", "= 3", "expected a multiple of 2"),
        ('"heuristic", ', "", "no meeting of 1 player in"),
        ('"iterations=5"', '"often"', "'often' is not a limit"),
        ('"iterations=5"', "often", "not valid TOML"),
    ],
)
def test_a_wrong_entry_is_reported_with_the_name_of_the_file(cli, tmp_path, was, now, part):
    (tmp_path / "small.toml").write_text(SPEC.replace(was, now))
    cli("tournament", "small.toml").refused("Error: small.toml: ", part)
    assert not (tmp_path / "small.sqlite").exists()


@pytest.mark.parametrize("seed", [-3, 2**64])
def test_any_whole_number_is_a_seed(cli, tmp_path, seed):
    (tmp_path / "small.toml").write_text(SPEC + f"seed = {seed}\n")
    assert cli("tournament", "small.toml", "--json").json["played"] == 4
    assert cli("tournament", "small.toml", "--json").json["played"] == 0
    assert cli("report", "small.sqlite", "--out", "r.html").code == 0


def change(path, *statements):
    """Change a results file by SQL."""
    with closing(sqlite3.connect(path)) as file, file:
        for statement in statements:
            file.execute(statement)


NO_CHECKSUMS = "DROP TABLE checksums", "PRAGMA user_version = 1"  # as written by the version before checksums


def test_a_tournament_is_played_and_continued(cli, tmp_path):
    (tmp_path / "small.toml").write_text(SPEC)
    shown = cli("tournament", "small.toml", "--json")
    assert shown.code == 0, shown.err
    facts = shown.json
    assert (facts["games"], facts["played"]) == (4, 4)
    assert facts["results"] == "small.sqlite"
    pairs = {(pair["player"], pair["opponent"]): pair for pair in facts["pairs"]}
    one, other = pairs["heuristic", "random"], pairs["random", "heuristic"]
    assert one["wins"] + one["draws"] + one["losses"] == 4
    assert one["score"] + other["score"] == 1
    assert one["low"] <= one["score"] <= one["high"]
    again = cli("tournament", "small.toml", "--json").json
    assert again["played"] == 0
    assert again["pairs"] == facts["pairs"]
    (tmp_path / "small.toml").write_text(SPEC.replace("= 4", "= 6"))
    assert cli("tournament", "small.toml", "--json").json["played"] == 2


def test_people_see_the_table(cli, played):
    shown = cli("tournament", "small.toml")
    assert "heuristic" in shown.out
    assert "All games had been played already; 4 games in small.sqlite" in shown.out


def test_a_tournament_and_a_comparison_write_a_page_and_replace_it(cli, tmp_path):
    (tmp_path / "small.toml").write_text(SPEC)
    compare = ("compare", "random", "heuristic", TINY, "-b", "iterations=1", "-g", "2", "--out", "compare.sqlite")
    for command in (("tournament", "small.toml"), compare):
        page = f"{command[0]}.html"
        shown = cli(*command, "--html", page)
        assert shown.code == 0, shown.err
        assert page in shown.out
        assert 'id="results"' in (tmp_path / page).read_text()
        assert cli(*command, "--html", page, "--json").json["played"] == 0  # and nothing else on standard output
        (tmp_path / "notes.html").write_text("mine")
        cli(*command, "--html", "notes.html").refused("notes.html already exists", "--force")
    cli("tournament", "small.toml", "--html", "small.sqlite").refused("small.sqlite")
    cli("tournament", "small.toml", "--html", "small.toml", "--force").refused("small.toml")


def test_the_command_for_a_page_is_shown(cli, tmp_path):
    (tmp_path / "small.toml").write_text(SPEC)
    words = "For a page on these results: "
    shown = cli("tournament", "small.toml", "--out", "my results.sqlite").out
    (line,) = [line for line in shown.splitlines() if line.startswith(words)]
    assert cli(*shlex.split(line.removeprefix(words))[1:]).code == 0
    assert (tmp_path / "my results.html").exists()
    assert words not in cli("tournament", "small.toml", "--html", "p.html").out


def test_single_player_tournaments_end_with_mean_scores_by_board(cli, tmp_path):
    (tmp_path / "alone.toml").write_text(
        'name = "alone"\ngames = ["samegame:board=1", "samegame:board=2", "search-race"]\n'
        'players = ["random", "greedy-action"]\nbudget = "iterations=1"\ngames_per_pair = 2\n'
    )
    facts = cli("tournament", "alone.toml", "--json").json
    assert len(facts["scores"]) == 6
    assert {entry["measure"] for entry in facts["scores"]} == {"score", "time"}
    shown = cli("tournament", "alone.toml").out
    words = " ".join(shown.split())
    assert "samegame: means (score, more is better)" in words
    assert "search-race: means (time, less is better)" in words
    cell = next(e for e in facts["scores"] if (e["player"], e["game"]) == ("greedy-action", "samegame:board=2"))
    assert f"{cell['mean']:,.0f}" in next(line for line in shown.splitlines() if "samegame:board=2" in line)
    assert any(line.split()[1:2] == ["mean"] for line in shown.splitlines())
    assert cli("report", "alone.sqlite").code == 0
    page = (tmp_path / "alone.html").read_text()
    assert "samegame: means" in page
    assert f"{cell['mean']:,.0f}" in page


def test_progress_is_printed_where_no_bar_is_shown(cli, tmp_path):
    (tmp_path / "small.toml").write_text(SPEC)
    assert "4 of 4 games" in cli("tournament", "small.toml", "--out", "other.sqlite").err
    assert (tmp_path / "other.sqlite").exists()


def test_a_sequential_test_says_what_it_decided(cli, tmp_path):
    (tmp_path / "test.toml").write_text(
        'games = "hero-academy:map=a-tiny,deck=tiny"\nplayers = ["greedy-turn", "random"]\n'
        'budget = "iterations=50"\ngames_per_pair = 40\n[sprt]\nelo0 = 0\nelo1 = 400\n'
    )
    text = cli("tournament", "test.toml").out
    assert re.search(r"greedy-turn against random in .*: decided after \d+ games, 400 Elo points for greedy-turn", text)
    facts = cli("tournament", "test.toml", "--json").json
    assert facts["played"] == 0
    assert 0 < facts["games"] < 40
    assert len(facts["decisions"]) == 1
    assert facts["overruns"][0] == {
        "player": "greedy-turn",
        "decisions": facts["overruns"][0]["decisions"],
        "overruns": 0,
        "median_seconds": 0.0,
        "largest_seconds": 0.0,
    }
    (test,) = facts["tests"]
    assert (test["player"], test["opponent"]) == ("greedy-turn", "random")
    assert (test["decided"], test["elo"], test["games"]) == (True, 400.0, facts["games"])
    assert test["llr"] >= test["decides_at"][1]
    assert not any("p_value" in pair for pair in facts["pairs"])  # too small after a test that ended the games
    assert cli("report", "test.sqlite", "--out", "r.html", "--replays", "0").code == 0
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "sequential test of 0 against 400 Elo points" in page
    for shown in (text, html.unescape(page)):
        assert "400 Elo points for greedy-turn rather than 0" in shown
        assert "A sequential test ended the games of each pair" in shown
        assert "more than chance" not in shown


def test_another_tournaments_results_are_refused(cli, tmp_path, played):
    (tmp_path / "small.toml").write_text(SPEC.replace("iterations=5", "iterations=6"))
    cli("tournament", "small.toml").refused("other settings", "iterations=5 there, iterations=6 now", "Choose another")
    (tmp_path / "small.toml").write_text(SPEC)
    assert cli("tournament", "small.toml", "--json").json["played"] == 0


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        (b"games = ", ["not valid TOML"]),
        (b"seed = " + 5000 * b"1", ["t.toml", "a number of 5000 digits at line 1, column 8"]),
        (b"\xff\xfe\x00", ["not UTF-8"]),
        (b"", ["'games' is missing", "'players' is missing", "'budget' is missing"]),
        (SPEC.replace("budget", "buget").encode(), ["'buget'", "'budget'"]),
        (SPEC.replace("iterations=5", "much").encode(), ["much"]),
        (SPEC.replace('"random"', '"randomm"').encode(), ["'randomm'", "'random'"]),
        (SPEC.replace("= 4", "= 3").encode(), ["multiple of 2"]),
        (SPEC.replace("a-tiny", "b-tiny").encode(), ["b-tiny"]),
    ],
)
def test_unreadable_tournaments(cli, tmp_path, content, parts):
    (tmp_path / "t.toml").write_bytes(content)
    cli("tournament", "t.toml").refused(*parts)
    assert [path.name for path in tmp_path.iterdir()] == ["t.toml"]


def test_wrong_places(cli, tmp_path):
    cli("tournament", "nowhere.toml").refused("nowhere.toml")
    (tmp_path / "t.toml").write_text(SPEC)
    cli("tournament", "t.toml", "--out", "no/such/place.sqlite").refused("no folder")
    cli("tournament", "t.toml", "--out", "t.toml").refused("t.toml")
    assert (tmp_path / "t.toml").read_text() == SPEC


def test_a_report_is_one_file_and_says_where(cli, tmp_path, played):
    shown = cli("report", played, "--out", "page.html", "--replays", 1)
    assert shown.code == 0, shown.err
    assert shown.out.splitlines()[-1].endswith("page.html")
    page = (tmp_path / "page.html").read_text()
    assert "<html" in page
    assert "small" in page
    cli("report", played, "--out", "page.html").refused("already exists", "--force")
    assert (tmp_path / "page.html").read_text() == page
    assert cli("report", played, "--out", "page.html", "--replays", 0, "--force").code == 0


def test_a_report_states_players_budgets_and_command(cli, tmp_path):
    spec = SPEC.replace('["heuristic", "random"]', '{clever = "heuristic", random = "random"}')
    (tmp_path / "small.toml").write_text(spec + '[budgets]\nclever = "iterations=77"\n')
    assert cli("tournament", "small.toml", "--out", "kept.sqlite").code == 0
    assert cli("report", "kept.sqlite").code == 0  # by default: kept.html in this folder
    cli("report", "kept.sqlite").refused("kept.html already exists", "--force")
    page = html.unescape((tmp_path / "kept.html").read_text(encoding="utf-8"))
    for text in ("Player clever", "heuristic, iterations=77", "Player random", "random, iterations=5"):
        assert text in page
    assert "<dt>Tournament</dt>" in page
    assert "turnwise tournament small.toml --out kept.sqlite" in page


def test_a_file_without_a_single_command_shows_none(cli, tmp_path, played):
    change(played, "DELETE FROM meta WHERE name = 'command'", "DELETE FROM checksums WHERE entry = 'meta command'")
    assert cli("report", played, "--out", "page.html").code == 0
    assert "turnwise tournament" not in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_report_warns_of_an_altered_result(cli, tmp_path, played):
    (tmp_path / "copy.sqlite").write_bytes(played.read_bytes())
    change(tmp_path / "copy.sqlite", *NO_CHECKSUMS, "UPDATE seats SET result = -result - 5 WHERE number = 0")
    with closing(sqlite3.connect(tmp_path / "copy.sqlite")) as file:
        ((key,),) = file.execute("SELECT key FROM games ORDER BY number LIMIT 1")
    shown = cli("report", "copy.sqlite", "--out", "page.html")
    assert shown.code == 0
    (line,) = [line for line in shown.err.splitlines() if line.startswith("Warning: ")]
    assert key in line
    assert "stored result" in line
    assert key in (tmp_path / "page.html").read_text()
    assert "Warning" not in cli("report", played, "--out", "page.html", "--force").err


def test_tables(cli, tmp_path, played):
    assert cli("export", played, "--out", "tables", "--no-timing").code == 0
    with (tmp_path / "tables" / "seats.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 8
    assert {row["player"] for row in rows} == {"heuristic", "random"}
    cli("export", played, "--out", "tables").refused("already exists", "--force")
    assert cli("export", played, "--out", "tables", "--force").code == 0
    cli("export", played, "--out", "tables", "--format", "xml").refused("xml", "csv", "parquet")


def test_parquet(cli, tmp_path, played):
    parquet = pytest.importorskip("pyarrow.parquet")
    assert cli("export", played, "-f", "parquet", "-o", "tables").code == 0
    assert parquet.read_table(tmp_path / "tables" / "games.parquet").num_rows == 4


def test_files_that_are_no_results(cli, tmp_path, played):
    cut = played.read_bytes()[:3000]
    (tmp_path / "text.sqlite").write_text("hello")
    (tmp_path / "cut.sqlite").write_bytes(cut)
    for name in ("text.sqlite", "cut.sqlite", "nowhere.sqlite"):
        cli("report", name, "--out", "page.html").refused(name)
        cli("export", name, "--out", "tables").refused(name)
    (tmp_path / "file").write_text("")
    cli("export", played, "--out", "file").refused("file")
    assert not (tmp_path / "page.html").exists()
    assert not (tmp_path / "tables").exists()


def test_a_damaged_game_can_be_left_out(cli, tmp_path, played):
    change(played, "UPDATE games SET turns = turns + 1 WHERE number IN (1, 2)")
    for command in (["report", played], ["export", played, "--out", "tables"]):
        cli(*command).refused("games 1 and 2 are damaged", "--skip 1 --skip 2", "--retry-damaged")
        cli(*command, "--skip", 1).refused("game 2 is damaged", "with --skip 2 ")
        cli(*command, "--skip", 7).refused("has no game 7")
        assert sorted(tmp_path.iterdir()) == [played, tmp_path / "small.toml"]
    shown = cli("report", played, "--skip", 1, "--skip", 2)
    assert shown.code == 0, shown.err
    assert "Left out on request: games 1 and 2.\nReport on 2 games: " in shown.out
    assert "Left out on request: games 1 and 2." in (tmp_path / "small.html").read_text(encoding="utf-8")
    shown = cli("export", played, "--skip", 2, "--skip", 1, "--out", "tables")
    assert "Left out on request: games 1 and 2.\nWritten: " in shown.out
    for name, numbers in (("games", "03"), ("seats", "0033")):
        with (tmp_path / "tables" / f"{name}.csv").open() as file:
            assert [row["number"] for row in csv.DictReader(file)] == list(numbers)
    shown = cli("report", played, "--skip-damaged", "--force")
    assert "Left out because damaged (2 games): games 1 and 2.\nReport on 2 games: " in shown.out
    shown = cli("export", played, "--skip-damaged", "--out", "tables", "--force")
    assert "Left out because damaged (2 games): games 1 and 2.\nWritten: " in shown.out
    every = [word for number in range(4) for word in ("--skip", number)]
    cli("report", played, *every, "--force").refused("no game is left")


def test_a_damaged_game_can_be_played_again(cli, tmp_path, played):
    change(played, "UPDATE games SET turns = turns + 1 WHERE number = 2")
    cli("tournament", "small.toml").refused("game 2 is damaged", "--retry-damaged")
    shown = cli("tournament", "small.toml", "--retry-damaged", "--json")
    assert shown.code == 0
    assert (shown.json["games"], shown.json["played"]) == (4, 1)
    assert "3 games kept; game 2 will be played again" in shown.err
    assert cli("report", "small.sqlite").out.startswith("Report on 4 games: ")
    cli("export", "small.sqlite.damaged", "--out", "tables").refused("game 2 is damaged")


def test_games_without_checksums_are_read_and_named(cli, tmp_path, played):
    change(played, *NO_CHECKSUMS)
    remark = "4 of 4 games have no checksum, since an earlier version wrote them"
    assert remark in cli("report", played).out
    assert remark in (tmp_path / "small.html").read_text(encoding="utf-8")
    assert remark in cli("export", played, "--out", "tables").out
    assert "checksum" not in cli("tournament", "small.toml").out
    assert remark in cli("report", played, "--force").out


def test_a_tournament_in_parts_is_merged(cli, tmp_path):
    (tmp_path / "small.toml").write_text(SPEC)
    for number in (1, 2):
        assert cli("tournament", "small.toml", "--part", f"{number}/2", "--out", f"{number}.sqlite").code == 0
    facts = cli("merge", "1.sqlite", "2.sqlite", "--out", "all.sqlite", "--json").json
    assert facts["games"] == 4
    assert [entry["games"] for entry in facts["taken"]] == [2, 2]
    shown = cli("merge", "1.sqlite", "2.sqlite", "--out", "all.sqlite", "--force")
    assert shown.out == "1.sqlite: 2 games taken\n2.sqlite: 2 games taken\nWritten: all.sqlite, 4 games\n"
    assert cli("tournament", "small.toml", "--out", "all.sqlite", "--json").json["played"] == 0
    cli("merge", "1.sqlite", "2.sqlite", "--out", "all.sqlite").refused("already exists", "--force")
    cli("merge", "1.sqlite", "--out", "new.sqlite").refused("two or more")
    cli("merge", "1.sqlite", "none.sqlite", "--out", "new.sqlite").refused("none.sqlite")
    shown = cli("tournament", "small.toml", "--part", "1/2", "--out", "1.sqlite").out
    assert "This is part 1 of 2." in shown
    assert shown.endswith("  turnwise merge 1.sqlite 2.sqlite --out small.sqlite\n")
    shown = cli("tournament", "small.toml", "--part", "2/2", "--out", "1.sqlite").out
    assert "The file also holds 2 games of other parts; they are counted, too." in shown
    assert "merge" not in shown
    for part in ("3/2", "x", "0/1", "1", "1/0"):
        cli("tournament", "small.toml", "--part", part).refused("--part", "K/N")


DECISIVE = "hero-academy:map=a-tiny,deck=tiny"


def test_compare_decides_continues_and_reports(cli, tmp_path):
    command = ("compare", "greedy-turn", "random", DECISIVE, "-b", "iterations=20", "-d", "100")
    shown = cli(*command)
    assert shown.code == 0
    assert shown.out.startswith(f"greedy-turn is stronger than random in {DECISIVE}: greedy-turn scores ")
    (file,) = tmp_path.glob("compare-*.sqlite")
    facts = cli(*command, "--json").json
    assert facts["stronger"] == "greedy-turn"
    assert facts["decided"]
    assert facts["played"] == 0
    assert facts["wins"] + facts["draws"] + facts["losses"] == facts["games"]
    assert cli("report", file.name, "--out", "page.html").code == 0
    page = html.unescape((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert f"decided after {facts['games']} games, greedy-turn is stronger: 100 Elo points rather than -100" in page
    few = cli(*command[:-2], "--games", "2", "--out", "few.sqlite")
    assert "Undecided between greedy-turn and random" in few.out
    assert "continue with --games" in few.out


def test_results_of_different_tournaments_are_named_by_their_files(cli, tmp_path):
    (tmp_path / "small.toml").write_text(SPEC)
    (tmp_path / "other.toml").write_text(SPEC.replace("iterations=5", "iterations=6").replace('"random"', '"oep"'))
    for name in ("small", "other"):
        assert cli("tournament", f"{name}.toml").code == 0
    refused = cli("merge", "small.sqlite", "other.sqlite", "--out", "both.sqlite")
    refused.refused(
        "other.sqlite belongs to another tournament than small.sqlite: ",
        "player random: only in small.sqlite; player oep: only in other.sqlite",
        "budget of heuristic: iterations=5 in small.sqlite, iterations=6 in other.sqlite",
    )
    assert "there" not in refused.err


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("compare mcts greedy-turn", "Expected: turnwise compare A B GAME. 'turnwise games' lists the games."),
        ("curve samegame", "Expected: turnwise curve GAME PLANNER. 'turnwise planners' lists the planners."),
        ("match samegame", "Expected: turnwise match GAME PLANNER.... 'turnwise planners' lists the planners."),
        ("merge", "Expected: turnwise merge RESULTS.... 'turnwise merge --help' shows the usage."),
    ],
)
def test_a_missing_argument_is_answered_with_what_is_expected(cli, typed, words):
    cli(*typed.split()).refused("Missing argument", words)


def test_an_interruption_where_nothing_is_kept_claims_nothing(cli, monkeypatch):
    from turnwise.arena.tournament import comparison

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(comparison, "comparison_spec", interrupt)
    stopped = cli("compare", "mcts", "random", TINY)
    assert (stopped.code, stopped.err) == (130, "Interrupted: the command did not finish.\n")


def test_compare_refuses_bad_input(cli, tmp_path):
    cli("compare", "mcts", "mcts", TINY).refused("Both players are mcts")
    cli("compare", "mcts", "greedy-turn", "samegame").refused("1 seat", "turnwise tournament")
    cli("compare", "mcts", "greedy-turn", "chess").refused("chess")
    cli("compare", "mcts", "greedy-turn", TINY, "--second-budget", "x").refused("x")
    cli("compare", "mcts", "greedy-turn", TINY, "--out", "no/where.sqlite").refused("no")
    assert list(tmp_path.iterdir()) == []


def test_curve_shows_points_and_continues(cli, tmp_path):
    command = ("curve", DECISIVE, "greedy-turn", "random", "-b", "iterations=2", "-b", "iterations=20", "-g", "2")
    shown = cli(*command, "--html", "curve.html")
    assert shown.code == 0
    assert "Strength by budget" in shown.out
    assert "Score against greedy-turn (iterations=2)" in shown.out
    page = (tmp_path / "curve.html").read_text()
    assert page.index("Strength by budget") < page.index('id="results"')
    facts = cli(*command, "--json").json
    assert facts["played"] == 0
    assert [(point["planner"], point["amount"]) for point in facts["points"]] == [
        ("greedy-turn", 2), ("greedy-turn", 20), ("random", 2), ("random", 20)
    ]  # fmt: skip
    reference, other = facts["points"][:2]
    assert (reference["value"], reference["low"], reference["high"], reference["is_reference"]) == (
        50,
        None,
        None,
        True,
    )
    assert other["low"] <= other["value"] <= other["high"]
    assert "reference" in next(line for line in shown.out.splitlines() if "iterations=2 " in line)
    assert 'download="curve.csv"' in page
    assert cli(*command[:-1], "4", "--json").json["played"] == 6


def test_curve_replaces_its_own_page_and_no_other(cli, tmp_path):
    command = ("curve", "samegame:board=3", "random", "-b", "iterations=1", "-b", "iterations=2", "-g", "1")
    assert cli(*command, "--html", "curve.html").code == 0
    assert cli(*command[:-1], "2", "--html", "curve.html").code == 0
    cli(*command, "--out", "own.sqlite", "--html", "curve.html").refused(
        "did not write it from these results", "--force"
    )
    assert not (tmp_path / "own.sqlite").exists()
    (found,) = tmp_path.glob("*.sqlite")
    (tmp_path / "folder").mkdir()
    cli(*command, "--out", f"folder/{found.name}", "--html", "curve.html").refused("did not write it from these")
    (tmp_path / "notes.html").write_text("mine")
    cli(*command, "--html", "notes.html").refused("notes.html already exists", "--force")
    assert cli("report", *tmp_path.glob("*.sqlite"), "--out", "report.html").code == 0
    cli(*command, "--html", "report.html").refused("did not write it from these results")
    assert cli(*command, "--html", "notes.html", "--force").code == 0
    cli(*command, "--html", "results.sqlite", "--out", "results.sqlite").refused("results.sqlite")


def test_an_odd_number_of_games_for_two_counts_as_the_next_even_one(cli):
    curve = ("curve", TINY, "random", "heuristic", "-b", "iterations=1", "-b", "iterations=2", "-g")
    note = "Note: --games 3: games for two are played in pairs, the same start from both seats, so it counts as 4."
    assert note in cli(*curve, "3", "--out", "odd.sqlite").err
    assert "pairs" not in cli(*curve, "2", "--out", "even.sqlite").err
    compare = ("compare", "random", "heuristic", TINY, "-b", "iterations=1", "--json", "-g")
    odd = cli(*compare, "3", "--out", "odd2.sqlite")
    assert note in odd.err
    assert odd.json["games"] == 4


@pytest.mark.parametrize(
    ("typed", "right"),
    [
        (f"compare {TINY} mcts greedy-turn -b time=1ms", f"compare mcts greedy-turn {TINY} -b time=1ms"),
        (f"compare mcts {TINY} -g 2 greedy-turn", f"compare mcts greedy-turn {TINY} -g 2"),
        (f"match mcts greedy-turn:width=3 {TINY} --quiet", f"match {TINY} mcts greedy-turn:width=3 --quiet"),
        ("curve nrpa samegame --games=2 -b forward=9", "curve samegame nrpa --games=2 -b forward=9"),
        ("curve mcts --against random tribes", "curve tribes mcts --against random"),
    ],
)
def test_a_game_in_a_planners_place_is_answered_with_the_right_line(cli, tmp_path, typed, right):
    cli(*typed.split()).refused("there is no game", f"Did you mean: {shlex.join(['turnwise', *right.split()])}")
    assert list(tmp_path.iterdir()) == []


def test_other_wrong_names_are_not_taken_for_a_wrong_order(cli):
    cli("match", "chess", "mcts", "hero-academy").refused("There is no planner 'hero-academy'")
    cli("match", TINY, "mcts", "samegame").refused("There is no planner 'samegame'")
    cli("compare", "mcts", "greedy-turn", "oep").refused("There is no game 'oep'")


TUNING = f"""
games = "{TINY}"
planner = "mcts"
opponents = "random"
budget = "iterations=2"
evaluations = 4
parameters.exploration = [0.1, 0.2]
"""


@pytest.mark.parametrize(
    "typed",
    [
        "tournament small.toml --workers 1",
        f"compare random heuristic {TINY} -b iterations=1 --games 6 --out own.sqlite",
        f"curve {TINY} random -b iterations=1 -b iterations=2 --out 'own results.sqlite'",
        "tune tuning.toml --out own.sqlite",
    ],
)
def test_an_interrupted_run_names_its_results_and_how_it_goes_on(cli, tmp_path, monkeypatch, typed):
    def interrupt(meter, done, *arguments, **more):
        if done:
            raise KeyboardInterrupt

    (tmp_path / "small.toml").write_text(SPEC)
    (tmp_path / "tuning.toml").write_text(TUNING)
    with monkeypatch.context() as patched:
        patched.setattr(ProgressMeter, "show", interrupt)
        stopped = cli(*shlex.split(typed))
    (results,) = [file.name for file in tmp_path.glob("*.sqlite")]
    assert stopped.code == 130
    words = f"Interrupted: finished games are kept in {results}. To go on: turnwise "
    (line,) = [line for line in stopped.err.splitlines() if line.startswith("Interrupted")]
    assert line.startswith(words)
    again = shlex.split(line.removeprefix(words))
    assert again == shlex.split(typed)
    assert cli(*again).code == 0


@pytest.mark.parametrize("moment", ["_warm_all", "_pool"])  # before and after the results file is made
@pytest.mark.parametrize(
    ("typed", "results"),
    [
        ("tournament small.toml", "small.sqlite"),
        (f"compare random heuristic {TINY} -b iterations=1 --out own.sqlite", "own.sqlite"),
    ],
)
def test_an_interruption_before_the_first_game_says_so(cli, tmp_path, monkeypatch, typed, results, moment):
    from turnwise.arena.tournament import run

    def interrupt(*_):
        raise KeyboardInterrupt

    (tmp_path / "small.toml").write_text(SPEC)
    monkeypatch.setattr(run, moment, interrupt)
    stopped = cli(*shlex.split(typed))
    assert stopped.code == 130
    assert (tmp_path / results).exists() is (moment == "_pool")
    assert f"no game was finished for {results}. To go on: turnwise {typed}\n" in stopped.err


def test_curve_refuses_bad_input(cli, tmp_path):
    cli("curve", "chess", "mcts").refused("chess")
    cli("curve", TINY, "chess").refused("chess")
    cli("curve", TINY, "mcts", "-b", "time=1ms").refused("at least two different budgets")
    cli("curve", TINY, "mcts", "--html", "no/page.html").refused("no")
    cli("curve", TINY, "mcts", "--out", "no/where.sqlite").refused("no")
    assert list(tmp_path.iterdir()) == []


def test_tournaments_say_which_pairs_differ(cli, tmp_path):
    (tmp_path / "small.toml").write_text(SPEC.replace(TINY, DECISIVE).replace("= 4", "= 16"))
    shown = cli("tournament", "small.toml")
    assert "The pair differs by more than chance (level 5 %)." in shown.out
    assert "heuristic is better" in shown.out
    facts = cli("tournament", "small.toml", "--json").json
    assert {pair["stronger"] for pair in facts["pairs"]} == {"heuristic"}
    assert {pair["more_games"] for pair in facts["pairs"]} == {0}
    assert all(pair["p_value"] == pair["corrected_p_value"] < 0.05 for pair in facts["pairs"])
    assert cli("report", "small.sqlite", "--out", "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert "The pair differs by more than chance" in page
    assert "heuristic is better" in page
