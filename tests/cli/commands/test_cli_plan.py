"""``plan``: from the start and from files; errors in files."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

import turnwise
from doubles.cli_samples import TINY
from turnwise.planners.turn_maximin import TurnMaximin
from turnwise.search.plan import Alternative
from turnwise.search.search_planner import watch_searches

KEYS = {
    "game", "planner", "budget", "seed", "turn", "player", "actions", "is_complete", "value", "alternatives",
    "seconds", "iterations", "evaluations", "forward_calls", "forward_calls_for_others", "stopped_by", "details",
    "value_of",
}  # fmt: skip


@pytest.fixture(scope="module")
def later():
    """A state in the second turn."""
    state = turnwise.make(TINY).start(seed=3)
    for code in turnwise.planner("heuristic").plan(state, turnwise.Budget(iterations=1)).codes:
        state = state.play(code)
    return state


def played(state, actions):
    for action in actions:
        state = state.play(action)
    return state


def test_a_budget_too_small_for_an_iteration_is_reported(cli):
    text = "No iteration was finished in this budget."
    assert text in cli("plan", TINY, "-p", "online-evolution", "-b", "evaluations=10").out
    assert text not in cli("plan", TINY, "-p", "online-evolution", "-b", "iterations=2").out


def test_a_plan_from_the_start_is_legal_and_complete(cli):
    shown = cli("plan", TINY, "-p", "greedy-turn", "-b", "evaluations=500", "--seed", 4, "--json")
    assert shown.code == 0
    facts = shown.json
    assert set(facts) == KEYS
    start = turnwise.make(TINY).start(seed=4)
    end = played(start, facts["actions"])
    assert end.to_move != start.to_move
    assert facts["forward_calls"] > 0
    assert 0 < facts["evaluations"] <= 500
    assert facts["alternatives"]
    for other in facts["alternatives"]:
        assert other["value"] <= facts["value"]
        played(start, other["actions"])


def test_the_same_seed_gives_the_same_plan(cli):
    command = ("plan", TINY, "-p", "mcts", "-b", "iterations=200", "--seed", 9, "--json")
    one, other = cli(*command).json, cli(*command).json
    for facts in (one, other):
        del facts["seconds"]
    assert one == other
    assert one["iterations"] == 200


def test_people_see_board_turns_values_and_costs(cli):
    shown = cli("plan", TINY, "-p", "greedy-turn", "-b", "iterations=50", "-n", 2).out
    assert "action points" in shown
    assert "best" in shown
    assert "50 iterations" in shown
    assert "the budget was used up" in shown


def test_without_a_planner_the_recommended_one_plans(cli, tmp_path):
    assert cli("plan", TINY, "-b", "iterations=5", "--json").json["planner"] == "turn-maximin"
    position = tmp_path / "position.json"
    position.write_text(turnwise.make(TINY).start(1).to_json())
    assert cli("plan", "--state", position, "-b", "iterations=5", "--json").json["planner"] == "turn-maximin"


def test_the_number_of_alternatives_can_be_chosen(cli):
    command = ("plan", TINY, "-p", "greedy-turn", "-b", "iterations=200", "--json", "--alternatives")
    assert len(cli(*command, 1).json["alternatives"]) == 1
    assert len(cli(*command, 7).json["alternatives"]) == 7


def test_a_number_of_alternatives_given_twice_is_refused_with_the_option_that_was_typed(cli):
    twice = ("plan", TINY, "-p", "mcts:alternatives=2", "-b", "iterations=9")
    cli(*twice, "-n", 3).refused("--alternatives and 'alternatives=' in 'mcts:alternatives=2'", "give one of them")
    assert len(cli(*twice, "--json").json["alternatives"]) <= 2


def test_readings(cli):
    for flag in ("--as-published", "--as-coded"):
        facts = cli("plan", TINY, "-p", "greedy-action", "-b", "iterations=9", flag, "--json").json
        assert facts["planner"] == turnwise.planner("greedy-action", preset=flag[2:]).spec
    cli("plan", TINY, "-p", "random", "--as-published", "--as-coded").refused("exclude each other")
    cli("plan", TINY, "-p", "random:preset=as-coded", "--as-coded").refused("preset=")


def test_states_in_every_form(cli, tmp_path, later):
    bare, envelope = json.dumps(later.to_dict()), later.to_json()
    options = ("-p", "greedy-action", "-b", "iterations=50", "--json")
    files = {
        "bare.json": bare,
        "pretty.json": json.dumps(later.to_dict(), indent=2),
        "saved.json": envelope,
        "bom.json": "\ufeff" + envelope,
    }
    plans = []
    for name, content in files.items():
        (tmp_path / name).write_text(content)
        plans.append(cli("plan", TINY, "--state", name, *options).json)
    plans.append(cli("plan", "--state", "saved.json", *options).json)
    plans.append(cli("plan", "hero-academy", "--state", "saved.json", *options).json)
    plans.append(cli("plan", "--state", "-", *options, typed=envelope).json)
    assert {tuple(plan["actions"]) for plan in plans} == {tuple(plans[0]["actions"])}
    assert {plan["game"] for plan in plans} == {turnwise.make(TINY).spec}


def test_a_line_of_a_file(cli, tmp_path, later):
    start = turnwise.make(TINY).start()
    (tmp_path / "s.jsonl").write_text(f"{json.dumps(start.to_dict())}\n\n{json.dumps(later.to_dict())}\n")
    options = ("-p", "random", "-b", "iterations=1", "--json")
    assert cli("plan", TINY, "--state", "s.jsonl", *options).json["turn"] == start.turn
    assert cli("plan", TINY, "--state", "s.jsonl:1", *options).json["turn"] == start.turn
    assert cli("plan", TINY, "--state", "s.jsonl:2", *options).json["turn"] == later.turn
    for line in (0, 3):
        cli("plan", TINY, "--state", f"s.jsonl:{line}", *options).refused(f"no line {line}", "has 2")


def test_a_bare_state_of_a_standard_scenario_names_its_game_itself(cli, tmp_path):
    (tmp_path / "s.json").write_text(json.dumps(turnwise.make("hero-academy").start().to_dict()))
    facts = cli("plan", "--state", "s.json", "-p", "random", "-b", "iterations=1", "--json").json
    assert facts["game"] == "hero-academy"


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        (b"", ["empty"]),
        (b"{\n 1", ["not valid JSON at line 2, column 2", "damaged"]),
        (b"[1, 2]", ["a list, not an object"]),
        (b"\x1f\x8b\x08\x00\xff\xfe", ["not UTF-8", "compressed"]),
        (b"[" * 100_000, ["nested too deeply"]),
        (b"[" + b"9" * 10_000, ["a number of 10000 digits at line 1, column 2"]),
        (b'{"a": ' + b"9" * 10_000 + b"}\n{}", ["a number of 10000 digits at line 1, column 7"]),
        (b"{}", ["not a state of any game"]),
        (b'{"game": "hero-academy", "state": 3}', ["'state' must be an object"]),
        (b'{"game": "hero-academi", "state": {}}', ["hero-academi", "'hero-academy'"]),
        (b'{"game": "hero-academy", "rules": "0", "state": {}}', ["rules version 0"]),
        (b'{"game": "hero-academy", "options": {"map": 3}, "state": {}}', ["map = 3"]),
        (
            b'{"game": "hero-academy", "state": {}, "more": 1}',
            ["no field 'more'", "Expected an object with the fields game, rules, options, state"],
        ),
        (b'{"game": 1, "state": {}}', ["'game' must be a string, got 1"]),
        (b'{"game": "samegame", "options": [], "state": {}}', ["'options' must be an object, got []"]),
        (b'{"game": "samegame", "rules": "1", "stat": {}}', ["no field 'stat'"]),
        (b'{"game": "samegame", "rules": "1"}', ["the field 'state' is missing"]),
        (b"true", ["true or false, not an object"]),
        (b'{"game": "samegame", "state": {"cp": 3}}', ["got one with cp. It is a state of another game, or no state."]),
        (b'{"game": "samegame", "state": {}}', ["got one without fields"]),
        (
            b'{"game": "samegame", "state": {"score": 3, "skore": 1}}',
            ["without board, counts", "the unknown field skore"],
        ),
    ],
)
def test_damaged_states(cli, tmp_path, content, parts):
    (tmp_path / "s.json").write_bytes(content)
    cli("plan", "--state", "s.json", "-p", "random").refused("s.json", *parts)


def test_only_the_game_whose_fields_a_state_has_complains(cli, tmp_path):
    data = turnwise.make("samegame").start().to_dict()
    data["score"] = -1
    (tmp_path / "s.json").write_text(json.dumps(data))
    shown = cli("plan", "--state", "s.json")
    shown.refused("(samegame: ", "score")
    assert "hero-academy" not in shown.err


def test_a_truncated_state_and_one_with_a_wrong_field(cli, tmp_path, later):
    text = later.to_json()
    (tmp_path / "cut.json").write_text(text[: len(text) // 2])
    cli("plan", "--state", "cut.json", "-p", "random").refused("cut.json", "truncated")
    broken = {**later.to_dict(), "ap": "five"}
    (tmp_path / "field.json").write_text(json.dumps(broken))
    cli("plan", TINY, "--state", "field.json", "-p", "random").refused("field.json", "'ap'", "'five'")


def test_a_state_of_another_scenario_is_refused(cli, tmp_path, later):
    (tmp_path / "s.json").write_text(later.to_json())
    cli("plan", "hero-academy:map=a", "--state", "s.json", "-p", "random", "-b", "iterations=1")
    cli("plan", "hero-academy:map=a-small", "--state", "s.json", "-p", "random").refused("a-tiny", "a-small")


def test_a_game_that_is_over_cannot_be_planned(cli, tmp_path, later):
    over = {**later.to_dict(), "terminal": True}
    (tmp_path / "s.json").write_text(json.dumps(over))
    cli("plan", TINY, "--state", "s.json", "-p", "random").refused("over")


def test_missing_files_and_missing_games(cli, tmp_path):
    cli("plan", "--state", "nowhere.json", "-p", "random").refused("nowhere.json", "No such file")
    cli("plan", "--state", tmp_path, "-p", "random").refused("directory")
    cli("plan", "-p", "random").refused("Expected a game", "hero-academy", "--state")


@pytest.mark.parametrize(
    "budget",
    ["time", "time=", "time=-3ms", "time=3parsecs", "iterations=1.5", "evals=3", "time=1s/turns", "forward=-1"],
)
def test_impossible_budgets(cli, budget):
    cli("plan", TINY, "-p", "random", "-b", budget).refused("udget")


def test_too_large_a_file_is_not_read_to_its_end(cli, tmp_path, monkeypatch):
    monkeypatch.setattr("turnwise.cli.ui.states.LARGEST_STATE_FILE", 100)
    (tmp_path / "s.json").write_text(" " * 101)
    cli("plan", "--state", "s.json", "-p", "random").refused("larger than 100 bytes")


def test_ctrl_c_shows_the_best_so_far(cli):
    timers = []

    def interrupt_later(problem):
        if problem.record.deadline and not timers:  # not the warm-up, and one signal for all searches of the decision
            timers.append(threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)))
            timers[0].start()

    with watch_searches(interrupt_later):
        shown = cli("plan", "hero-academy", "-p", "mcts", "-b", "time=50s", "--json")
    assert shown.code == 130
    facts = shown.json
    assert facts["stopped_by"] == "interrupt"
    assert facts["iterations"] > 0
    assert facts["seconds"] < 40
    assert facts["actions"]
    last = shown.err.splitlines()[-1]
    assert last == "Interrupted: the search ended early; the best turn found until then is above."


def test_ctrl_c_without_a_turn_says_so(cli, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("turnwise.cli.commands.plan.warm_up", interrupted)
    shown = cli("plan", TINY, "-p", "random", "-b", "iterations=1")
    assert shown.code == 130
    assert shown.err == "Interrupted: before a turn was found; there is nothing to show.\n"
    assert shown.out == ""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(
    ("command", "typed"), [(("plan", TINY, "-p", "random", "-b", "iterations=1"), ""), (("play", TINY), "quit\n")]
)
def test_boards_have_colours_in_a_terminal_only(command, typed):
    import pty

    def in_terminal(**settings):
        ours, theirs = pty.openpty()
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        environment = {**kept, "TERM": "xterm-256color", "COLUMNS": "120", **settings}
        line = [sys.executable, "-c", "from turnwise.cli import main; main()", *command]
        with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=theirs, stderr=theirs, env=environment) as run:
            os.close(theirs)
            run.stdin.write(typed.encode())
            run.stdin.close()
            seen = b""
            with contextlib.suppress(OSError):  # the other end is closed
                while part := os.read(ours, 4096):
                    seen += part
        os.close(ours)
        return seen.decode()

    assert "\x1b[1;38;5;33m1>CR" in in_terminal()
    plain = in_terminal(NO_COLOR="1")
    assert "1>CR" in plain
    assert "38;5;33" not in plain


@pytest.mark.parametrize("game", ["samegame", "hero-academy:map=a"])
def test_a_state_of_another_scenario_is_refused_with_both_named(cli, tmp_path, game):
    (tmp_path / "s.json").write_text(turnwise.make(TINY).start().to_json())
    came = turnwise.make(TINY).spec
    wanted = turnwise.make(game).spec
    refused = cli("plan", game, "--state", "s.json", "-p", "random")
    refused.refused(f"s.json: expected a state of {wanted}, got one of {came}.", "leave the game out of the command")


@pytest.mark.parametrize("seed", [-1, -(10**30), 10**30])
def test_the_command_line_takes_the_seeds_that_python_takes(cli, seed):
    shown = cli("plan", TINY, "-p", "random", "-b", "iterations=1", "--seed", seed, "--json").json
    game = turnwise.make(TINY)
    state = game.start(seed)
    plan = turnwise.planner("random").plan(state.view(state.to_move), turnwise.parse_budget("iterations=1"), seed)
    assert (shown["seed"], tuple(shown["actions"])) == (seed, plan.actions)


def test_one_of_a_thing_is_singular(cli):
    assert " 1 iteration, 0 evaluations, 1 forward call; " in cli("plan", "samegame", "-p", "random").out


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            (TINY, "--planner", "mcts"),
            "Value of the turn's outcome, the mean of 4 worlds, by the evaluation 'heuristic'.",
        ),
        ((TINY, "--planner", "mcts:worlds=1"), "Value of the first action, mean of its simulations, by the evaluation"),
        (
            (TINY, "--planner", "greedy-turn:worlds=1,evaluation=as-published"),
            "Value of the turn's outcome, by the evaluation",
        ),
        (
            (TINY, "--planner", "turn-maximin:reply=none,worlds=1"),
            "Value of the turn's outcome, before any reply, by the evaluation",
        ),
        (
            (TINY, "--planner", "turn-maximin:worlds=1,static=0.2,first-reply-width=1,least-width=1"),
            "Value of the turn after the worst reply found, with 0.2 of the value before it, by the evaluation",
        ),
        (
            (TINY, "--planner", "turn-maximin:worlds=1,reply=none,rollout-turns=2"),
            "Value of the turn's outcome, before any reply and after rollouts of 2 turns, by the evaluation",
        ),
    ],
)
def test_plan_says_what_the_value_is_the_value_of(cli, words, expected):
    shown = cli("plan", *words, "--budget", "iterations=30")
    assert expected in shown.out.replace("\n", " ")


@pytest.mark.parametrize(("more", "noted"), [(1.0, True), (0.0, False), (-1.0, False)])
def test_turns_with_higher_values_than_the_best_are_explained(cli, monkeypatch, more, noted):
    plan = TurnMaximin.plan

    def with_another_turn(*given, **named):
        found = plan(*given, **named)
        return replace(found, value=1.0, alternatives=(Alternative(found.actions, 1.0 + more),))

    monkeypatch.setattr(TurnMaximin, "plan", with_another_turn)
    shown = cli("plan", TINY, "--planner", "turn-maximin:worlds=1", "--budget", "iterations=30")
    assert shown.code == 0, shown.err
    assert ("A turn with a higher value than the best one was searched less" in shown.out.replace("\n", " ")) == noted


def test_a_planner_as_an_argument_is_explained(cli):
    cli("plan", TINY, "mcts").refused("unexpected extra argument", "given with --planner")
    cli("plan", TINY, "--timeout", 1).refused("limited with --budget time=1s")


def test_planners_without_values_show_none(cli):
    assert "Value of" not in cli("plan", TINY, "--planner", "random", "--budget", "iterations=1").out
    facts = cli("plan", TINY, "--planner", "tbets:worlds=1", "--budget", "iterations=30", "--json").json
    assert facts["value_of"].startswith("the turn after the replies in the tree, by the evaluation ")


@pytest.mark.parametrize("limit", ["iterations=0", "forward=0", "evaluations=0", "time=0ms"])
def test_a_budget_of_nothing_is_named(cli, limit):
    shown = cli("plan", TINY, "-p", "greedy-turn", "-b", limit)
    assert shown.code == 0, shown.err
    assert f"Nothing was searched, since {limit} allows no search." in shown.out


@pytest.mark.parametrize("budget", ["forward=1000", "forward=20000"])
def test_other_turns_are_listed_in_the_order_of_their_values(cli, budget):
    """The planner lists those first to which it has searched replies, in several worlds."""
    game, text = "hero-academy:map=a-tiny,deck=tiny", "turn-maximin:worlds=4,alternatives=8,least-width=1"
    state = turnwise.make(game).start(2)
    planned = turnwise.planner(text).plan(state.view(state.to_move), budget, 2)
    before = [other.value for other in planned.alternatives]
    assert before != sorted(before, reverse=True)  # else this test shows nothing
    facts = cli("plan", game, "-p", text, "-b", budget, "-s", "2", "--json").json
    listed = [(other["value"], other["actions"]) for other in facts["alternatives"]]
    assert [value for value, _ in listed] == sorted(before, reverse=True)
    assert sorted(listed) == sorted((other.value, list(other.actions)) for other in planned.alternatives)
    assert facts["details"]["worlds"] == 4
