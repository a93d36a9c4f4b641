import json
import os
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from turnwise.arena.records import TurnCost
from turnwise.report.builder import from_results, make_reading
from turnwise.report.html import breakable, render, script_json, write_report
from turnwise.report.model import Claim, Fact, PublishedCell, ReportData
from turnwise.statistics.verdict import Verdict

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>$\\frac{a$&\"'"


class Tags(HTMLParser):
    """All start tags with their attributes, and the page's text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.words = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.words.append(data)

    def ids(self):
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]


@pytest.fixture(scope="module")
def data(games):
    cell = PublishedCell(0.98, 100, Verdict.NOT_REPRODUCED, "too far away")
    published = {("online-evolution", "mcts"): cell}
    data = from_results("Round robin", games, command="make run", published=published, max_replays=6)
    claims = (Claim("Evolution wins.", Verdict.REPRODUCED, "it did"), Claim("Others lose.", Verdict.UNDECIDED))
    return replace(data, claims=claims, deviations=("No clock.",), notes=("A note.",), facts=(Fact("Seeds", "0-2"),))


def test_every_section_is_there(data):
    page = Tags(render(data))
    for anchor in ["run", "results", "claims", "ratings", "games", "search", "work", "endings", "deviations", "notes"]:
        assert anchor in page.ids(), anchor
    words = " ".join(page.words)
    for text in ("Evolution wins.", "No clock.", "A note.", "0-2", "6 of 36 games can be watched here", "✗"):
        assert text in words, text
    assert len(page.ids()) == len(set(page.ids()))


def test_the_win_table_has_a_legend_of_what_is_in_a_cell(data, games):
    words = " ".join(" ".join(Tags(render(data)).words).split())
    for text in ("above 50 %", "below 50 %", "the line its 95 % interval", "the published score; ✗ not reproduced"):
        assert text in words, text
    assert "undecided with so few" not in words  # no cell is undecided
    assert "published score" not in " ".join(Tags(render(from_results("t", games, max_replays=0))).words)


def test_empty_sections_are_left_out(games):
    page = Tags(render(ReportData("Bare", (make_reading("", []),))))
    assert not {"run", "claims", "ratings", "games", "search", "endings"} & set(page.ids())
    assert "results" in page.ids()


def test_nothing_is_loaded_from_anywhere(data):
    page = Tags(render(data))
    for tag, attributes in page.tags:
        for name in ("src", "href", "xlink:href", "action"):
            target = attributes.get(name, "#")
            assert target.startswith(("#", "data:")), (tag, target)
    (policy,) = (a["content"] for t, a in page.tags if t == "meta" and "http-equiv" in a)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")


def test_texts_of_users_stay_text(make_game):
    game = make_game((EVIL, "b"), 1, most_steps=10)
    reading = make_reading(EVIL, [game], note=EVIL, published={(EVIL, "b"): PublishedCell(0.5, 9, None, EVIL)})
    base = from_results(EVIL, [game], command=EVIL, facts=(Fact(EVIL, EVIL),), summary=EVIL, notes=(EVIL,))
    claims = (Claim(EVIL, Verdict.UNDECIDED, EVIL, EVIL, EVIL),)
    page = render(replace(base, readings=(reading, reading), claims=claims, deviations=(EVIL,), created=EVIL))
    assert "<script>alert" not in page
    assert "<img" not in page
    tags = Tags(page)
    assert not [a for _, a in tags.tags if any(name.startswith("on") for name in a)]
    assert [a.get("type") for t, a in tags.tags if t == "script"] == ["text/plain", "application/json", None]
    index = re.search(r'<script type="application/json" id="game-index">(.*?)</script>', page, re.DOTALL)
    assert json.loads(index[1])[0]["players"] == [EVIL, "b"]


def test_every_table_scrolls_in_a_frame_that_keys_reach(data):
    page = render(data)
    frames = re.findall(r'<div class="scroll"([^>]*)>\s*<table', page)
    assert len(frames) == page.count("<table") > 5
    assert {re.sub('".+?"', '""', frame.strip()) for frame in frames} == {'tabindex="" role="" aria-label=""'}


def test_names_break_after_their_punctuation():
    assert breakable("mcts:a=1,b_c<d") == "mcts:<wbr>a=1,<wbr>b_<wbr>c&lt;d"
    assert breakable("a: b") == "a: b"


@pytest.mark.parametrize(("replays", "cells"), [(0, 0), (1, 2), (6, 12)])
def test_only_cells_with_games_on_the_page_can_be_clicked(games, replays, cells):
    page = Tags(render(from_results("t", games, max_replays=replays)))
    found = [attributes for tag, attributes in page.tags if tag == "td" and "data-words" in attributes]
    assert len(found) == 12
    assert sum("data-row" in attributes for attributes in found) == cells


def test_script_json_round_trips_without_a_tag():
    text = script_json({"a": "</ScRipt><!-- \u2028 &amp;"})
    assert not set("<>&\u2028") & set(text)
    assert json.loads(text) == {"a": "</ScRipt><!-- \u2028 &amp;"}


def test_figures_follow_the_theme_and_say_what_they_show(data):
    page = render(data)
    figures = re.findall(r"<figure>.*?(<svg.*?</svg>)", page, re.DOTALL)
    reading = data.readings[0]
    drawn = [measure for measure in (*reading.search, *reading.work) if measure.kind == "spread"]
    assert len(figures) == len(drawn) + 2
    for figure in figures:
        root = ET.fromstring(figure)
        assert root.get("role") == "img"
        assert len(root.get("aria-label")) > 20
        assert "<style" not in figure
        assert "var(--ink)" in figure
        assert not re.search(r"(fill|stroke): #", figure)
    ids = [found for figure in figures for found in re.findall(r'\bid="([^"]+)"', figure)]
    assert len(ids) == len(set(ids))


def test_what_has_no_spread_is_a_number_in_a_table_and_overruns_have_a_size(make_game):
    record = make_game(("a", "b"), 1, most_steps=10)
    costs = [
        TurnCost(
            turn=turn,
            seconds=0.1,
            forward_calls=turn,
            evaluations=7,
            iterations=0,
            actions=1,
            overrun=overrun,
            details={"tree_full": float(turn == 1), "outcomes": 100.0 + turn},
        )
        for turn, overrun in enumerate((0.0, 0.0125, 0.0015, 0.002))
    ]
    seat = record.seats[0].model_copy(update={"costs": tuple(costs)})
    record = record.model_copy(update={"seats": (seat, record.seats[1].model_copy(update={"costs": ()}))})
    reading = make_reading("", [record], published_search={("outcomes", "a"): 201.0})
    page = render(ReportData("T", (reading,)))
    words = re.sub(r"\s+", " ", " ".join(Tags(page).words))
    for text in (
        "Searches whose tree was full (% of decisions) 25",
        "Evaluations per turn 7",
        "Paper, mean: a 201",
        "Decisions beyond the time budget",
        "a 4 3 2 12.5",
    ):
        assert text in words, text
    drawn = set(re.findall(r"<figcaption>(.*?)</figcaption>", page))
    assert "Distinct outcomes" in drawn
    assert not {"Evaluations", "Searches whose tree was full"} & drawn


def test_figures_of_searches_are_explained(make_game):
    record = make_game(("a", "b"), 1, most_steps=10)
    details = {"new_share": 0.25, "worlds": 4.0, "of-a-user": 3.0}
    costs = tuple(cost.model_copy(update={"details": details}) for seat in record.seats for cost in seat.costs)
    assert costs
    seats = tuple(seat.model_copy(update={"costs": costs}) for seat in record.seats)
    page = render(ReportData("T", (make_reading("", [record.model_copy(update={"seats": seats})]),)))
    assert "<li>New outcomes among the offspring: share of the new turns of a generation whose outcome no" in page
    assert "<li>Worlds searched: different guesses of what is hidden" in page
    assert "Of a user" in page
    assert "<li>Of a user" not in page


def test_ratings_from_games_of_three_follow_from_rankings(make_game):
    game = make_game(("a", "b"), 1, most_steps=4)
    third = game.seats[1].model_copy(update={"player": "c", "seat": 2})
    of_three = game.model_copy(update={"seats": (*game.seats, third)})
    pages = [render(ReportData("T", (make_reading("", [one]),))) for one in (of_three, game)]
    assert ["ratings follow from the ranking of each game" in page for page in pages] == [True, False]
    assert ["(Plackett\N{EN DASH}Luce model" in page for page in pages] == [True, False]
    assert ["(Bradley\N{EN DASH}Terry model" in page for page in pages] == [False, True]


def test_two_readings_stand_side_by_side(games):
    readings = (make_reading("Sound", games, note="n1"), make_reading("Published", games, note="n2"))
    page = Tags(render(ReportData("Two", readings)))
    assert sum(tag == "table" and "wins" in (a.get("class") or "") for tag, a in page.tags) == 2
    assert len(page.ids()) == len(set(page.ids()))


def test_equal_data_gives_equal_bytes(games, tmp_path):
    one, two = (from_results("Same", games, max_replays=3) for _ in range(2))
    assert write_report(one, tmp_path / "a.html").read_bytes() == write_report(two, tmp_path / "b.html").read_bytes()


def test_the_file_is_of_a_reasonable_size(data, tmp_path):
    assert write_report(data, tmp_path / "deep" / "report.html").stat().st_size < 2_000_000


def test_a_failed_write_leaves_the_old_file_and_no_rubbish(data, tmp_path, monkeypatch):
    target = tmp_path / "report.html"
    target.write_text("old")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        write_report(data, target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
    monkeypatch.undo()
    assert write_report(data, target) == target
    assert target.read_text().startswith("<!DOCTYPE html>")
    assert list(tmp_path.iterdir()) == [target]


def test_results_come_before_what_was_run(games):
    text = render(from_results("Order", games, command="make run", max_replays=0))
    assert text.index('id="results"') < text.index('id="endings"') < text.index('id="run"')
    assert "make run" in text
