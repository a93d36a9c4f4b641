"""A page on one replay: single-player games, two-player games, unfinished games; also in a browser."""

import pytest

import turnwise
from doubles.chromium import CHROMIUM, open_page
from turnwise.arena import play_game, solve
from turnwise.core.errors import TurnwiseError
from turnwise.report.html import render, write_report
from turnwise.report.one_game import from_replay
from turnwise.report.words import figure

BOARD, RACE = "samegame:board=7", "search-race:track=test7"


@pytest.fixture(scope="module", params=[BOARD, RACE])
def solution(request):
    return solve(request.param, "nrpa" if request.param == BOARD else "mcts", "iterations=30")


def test_a_page_on_a_solved_game(solution):
    data = from_replay(solution.replay)
    facts = {fact.label: fact.value for fact in data.facts}
    name, reached = solution.objective
    assert facts["Scenario"] == solution.game.spec
    assert facts["Result"].startswith(f"{name} {figure(reached)} (")
    assert facts["Length"] == f"{len(solution.actions)} actions"
    case = {BOARD: "SameGame, board 7", RACE: "Search Race, track test7"}[solution.game.spec]
    assert data.title == f"{case}: {name} {figure(reached)} by {solution.planner}"
    assert ("Search" in facts) == (solution.planner == "nrpa")
    assert data.replays.games[0].players == (solution.planner,)
    text = render(data)
    assert 'id="results"' not in text
    assert "won" not in facts["Result"]


def test_games_of_two_and_unfinished_ones():
    record = play_game("hero-academy:map=a-tiny,deck=tiny,turn-limit=4", ["random", "random"], "iterations=1")
    data = from_replay(record.replay)
    assert len(data.replays.games[0].players) == 2
    part = record.replay.model_copy(update={"steps": record.replay.steps[:3], "result": "", "returns": ()})
    assert from_replay(part).replays.games[0].result == "not played to its end"


def test_headlines_of_unfinished_games_and_own_boards():
    replay = solve("samegame:end-penalty=per_colour", "nrpa", "iterations=5").replay
    start = replay.model_copy(update={"steps": replay.steps[:0], "result": "", "returns": (), "players": ()})
    assert from_replay(start).title.startswith("SameGame, end penalty per_colour: score 0, result")
    assert from_replay(start).title.endswith(", not played to its end")
    own = solve(turnwise.make("samegame", rows=["01", "01"]), "nrpa", "iterations=5").replay
    assert from_replay(own).title.startswith("SameGame, own board: score ")
    assert from_replay(own, "Mine").title == "Mine"


def test_a_damaged_replay_is_an_error(solution):
    steps = list(solution.replay.steps)
    steps[3] = steps[3].model_copy(update={"action": "what"})
    bad = solution.replay.model_copy(update={"steps": tuple(steps)})
    with pytest.raises(TurnwiseError):
        from_replay(bad)


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason=f"{CHROMIUM} is missing: install Debian's chromium")
def test_the_player_shows_a_single_player_game(browser, solution, tmp_path):
    context = browser.new_context(offline=True, viewport={"width": 1300, "height": 900})
    page = open_page(context, write_report(from_replay(solution.replay), tmp_path / "game.html"))
    page.locator("#player").wait_for(state="visible")
    last = len(solution.actions)
    assert "Action 0 of" in page.locator("#where").inner_text()
    assert not page.locator(".pickers").is_visible()
    assert page.locator("#list h4").count() == 0
    first = page.evaluate("document.getElementById('board').shadowRoot.innerHTML")
    page.locator('[data-do="end"]').click()
    where = page.locator("#where").inner_text()
    assert f"Action {last} of {last}" in where
    assert solution.objective[0] in where
    assert page.evaluate("document.getElementById('board').shadowRoot.innerHTML") != first
    assert "seat" not in page.locator("#thought").inner_text()
    assert page.locator("#curves path.line").count() == 2  # the evaluation, and a metric
    assert "both players" not in page.locator("#curves-note").inner_text()
    assert page.troubles == []
    context.close()


def test_the_driven_line_grows():
    solution = solve(RACE, "mcts", "iterations=5")
    game = solution.game
    rows = [state.row for state in solution.replay.states()][:40]
    assert len(game.svg_of(rows)) > len(game.svg_of(rows[:3])) > len(game.svg_of(rows[:1]))
    assert turnwise.make(RACE).svg(rows[0])


CHANGES = {
    "player": (lambda step: {"player": 1 - step.player}, "is stored as"),
    "plan": (lambda step: {"note": step.note.model_copy(update={"plan": ("end", *step.note.plan)})}, "planned 'end'"),
}


@pytest.fixture(scope="module")
def won():
    for seed in range(20):
        record = play_game("hero-academy:map=a-tiny,deck=tiny", ["heuristic", "random"], "iterations=5", seed=seed)
        if record.ending == "won":
            return record.replay
    raise AssertionError("no game was won")


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_step_is_doubted(won, change):
    assert from_replay(won).replays.doubts == ()
    number = next(i for i, step in enumerate(won.steps) if step.note is not None and step.note.plan[0] != "end")
    changes, words = CHANGES[change]
    changed = won.steps[number].model_copy(update=changes(won.steps[number]))
    steps = (*won.steps[:number], changed, *won.steps[number + 1 :])
    (doubt,) = from_replay(won.model_copy(update={"steps": steps})).replays.doubts
    assert words in doubt


def test_changed_results_and_actions_are_doubted(won, solution):
    (doubt,) = from_replay(won.model_copy(update={"returns": won.returns[::-1]})).replays.doubts
    assert "the replay's result is" in doubt
    (doubt,) = from_replay(won.model_copy(update={"steps": won.steps[:-1]})).replays.doubts
    assert "result" in doubt
    replay = solution.replay
    assert from_replay(replay).replays.doubts == ()
    if replay.result == "won":
        short = replay.model_copy(update={"steps": replay.steps[:-1], "returns": ()})
        (doubt,) = from_replay(short).replays.doubts
        assert "do not lead to the end" in doubt
