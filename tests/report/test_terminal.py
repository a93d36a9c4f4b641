import io

from rich.console import Console

from turnwise.report.builder import from_results
from turnwise.report.model import Claim, Fact, PublishedCell, ReportData
from turnwise.report.terminal import closing_lines, print_report
from turnwise.statistics.verdict import Verdict


def printed(data):
    out = io.StringIO()
    print_report(data, Console(file=out, width=150, color_system=None))
    return out.getvalue()


def test_all_tables_are_printed(games):
    cell = PublishedCell(0.805, 100, Verdict.UNDECIDED)
    data = from_results("t", games, published={("online-evolution", "greedy-turn"): cell}, max_replays=0)
    text = printed(ReportData("t", data.readings, claims=(Claim("A claim.", Verdict.REPRODUCED, "why"),)))
    score = data.readings[0].wins.cells["online-evolution", "greedy-turn"].score
    assert f"{100 * score.estimate:.1f}" in text
    for words in (
        "36 games",
        "paper 80.5 ?",
        "95 % interval",
        "Elo",
        "Unique outcomes",
        "drawn by limit",
        "A claim.",
        "blue above 50",
    ):
        assert words in text, words


def test_a_gauntlet_has_a_column_for_the_challenger_only(make_game):
    rivals = ("first", "second", "third", "fourth")
    games = [make_game(("best", rival), 1, most_steps=4) for rival in rivals]
    table = printed(from_results("t", games, max_replays=0)).split("Score of the row")[0]
    head, *rows = [line.split() for line in table.splitlines() if line.startswith(("┃", "│"))]
    assert head == ["┃", "┃", "best", "┃"]
    assert sorted(row[1] for row in rows if row[1] in ("best", *rivals)) == sorted(rivals)


def test_many_players_have_no_win_table(make_game):
    games = [make_game(("best", f"rival-{n}"), 1, most_steps=4) for n in range(15)]
    text = printed(from_results("t", games, max_replays=0))
    assert "15 games of 16 players; the report shows who met whom." in text
    assert "Score of the row" not in text


def test_overruns_have_a_size_and_constants_no_interval(make_game):
    games = []
    for seed in (1, 2):
        game = make_game(("a", "b"), seed, most_steps=4)
        cost = game.seats[0].costs[0].model_copy(update={"overrun": 0.0125 * seed, "iterations": 73})
        seat = game.seats[0].model_copy(update={"costs": (cost,)})
        games.append(game.model_copy(update={"seats": (seat, game.seats[1].model_copy(update={"costs": ()}))}))
    lines = [line.split() for line in printed(from_results("t", games, max_replays=0)).splitlines()]
    assert ["│", "a", "│", "2", "│", "2", "│", "18.8", "│", "25", "│"] in lines
    assert ["73", "to", "73"] not in [line[i : i + 3] for line in lines for i in range(len(line))]


def test_ratings_from_games_of_three_follow_from_rankings(make_game):
    game = make_game(("a", "b"), 1, most_steps=4)
    third = game.seats[1].model_copy(update={"player": "c", "seat": 2})
    of_three = game.model_copy(update={"seats": (*game.seats, third)})
    text = " ".join(printed(from_results("t", [of_three], max_replays=0)).split())
    assert "ratings follow from the ranking of each game" in text
    assert "Ratings (Elo, Plackett-Luce)" in text
    of_two = " ".join(printed(from_results("t", [game], max_replays=0)).split())
    assert "ratings follow from the ranking of each game" not in of_two
    assert "Ratings (Elo, Bradley-Terry)" in of_two


def test_names_are_not_markup(make_game):
    text = printed(from_results("t", [make_game(("[red]x[/red]", "b"), 1, most_steps=4)], max_replays=0))
    assert "[red]x[/red]" in text


def test_claims_that_nobody_judged_give_the_reason_once():
    claims = [Claim(f"Claim {n}.", Verdict.NOT_JUDGED, f"{n} %; paper 9 %; not the paper's effort") for n in (1, 2)]
    text = " ".join(printed(ReportData("t", (), claims=tuple(claims))).split())
    assert "Published claims (not judged: not the paper's effort)" in text
    assert text.count("not the paper's effort") == text.count("not judged") == 1
    assert "2 %; paper 9 %" in text
    mixed = printed(ReportData("t", (), claims=(*claims, Claim("Claim 3.", Verdict.REPRODUCED, "9 %"))))
    assert mixed.count("not the paper's effort") == 2


def test_the_closing_lines_name_effort_games_scores_and_verdicts(games):
    reading = from_results("League", games, max_replays=0).readings[0]
    claims = (Claim("A.", Verdict.REPRODUCED), Claim("B.", Verdict.UNDECIDED), Claim("C.", Verdict.REPRODUCED))
    effort, played, judged = closing_lines(ReportData("t", (reading,), facts=(Fact("Effort", "5 ms"),), claims=claims))
    assert effort == "Effort: 5 ms."
    assert "36 games: scores in percent " in played
    best = reading.ratings.ratings[0]
    assert f"{best.player} {100 * best.tally.score:.1f}" in played
    assert judged == "Claims: 2 reproduced, 1 undecided."
    assert closing_lines(ReportData("t", ())) == []
