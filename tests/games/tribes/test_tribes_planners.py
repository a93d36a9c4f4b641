"""Presets for Tribes: the original's agents play whole turns, and what they leave out stays out."""

from collections import Counter

import numpy as np
import pytest

import turnwise
from doubles.candidate_kernels import list_candidates, survives
from turnwise.core.settings import read_settings
from turnwise.jit.record import Ints
from turnwise.search.problem import Problem

GAME = turnwise.make("tribes")
AS_CODED = [
    "osla:preset=tribes-as-coded",
    *(f"{name}:preset=tribes-{year}-as-coded" for name in ("flat-mc", "mcts", "rhea") for year in ("2020", "2021")),
    *(f"{name}:preset=tribes-as-coded" for name in ("oep", "emcts")),
]


def middle(steps=60, seed=4):
    """A state some random actions later, in which the turn is not just about to end."""
    state = GAME.start(seed=seed)
    for number in range(steps):
        state = state.play(state.code(state.script("keep-going", seed=number) or "end"))
    return state


@pytest.mark.parametrize("text", [*AS_CODED, "mcts:preset=tribes-hard-and-move", "mcts-non-exploring:preset=tribes"])
def test_agents_play_legal_turns(text):
    state = middle()
    planner = turnwise.planner(text)
    plan = planner.plan(state, turnwise.parse_budget("forward=300/action"), seed=2)
    assert plan.is_complete
    assert plan.report.forward_calls > len(plan.codes)


@pytest.mark.parametrize("text", AS_CODED[:3])
def test_nothing_is_destroyed_or_disbanded_and_turns_end_last(text):
    state = middle(90)
    plan = turnwise.planner(text).plan(state, turnwise.parse_budget("forward=200/action"), seed=2)
    words = Counter(action.split()[0] for action in plan.actions)
    assert not words["destroy"]
    assert words["end"] <= 1
    now = state
    for code in plan.codes:
        if not now.is_legal(code):  # chance has taken another course than in the plan
            break
        if now.action_group(code) == "end":
            groups = {now.action_group(other) for other in now.legal_codes().tolist()}
            assert groups <= {"end", "destroy", "disband"}, "the turn ends where nothing else is left"
        now = now.play(code)


@pytest.mark.parametrize("name", ["oep", "emcts"])
def test_agents_of_the_report_draw_neither_destruction_nor_disbanding(name):
    costly = {"destroy", "disband"}
    states = (middle(steps, seed) for steps in range(60, 200, 10) for seed in range(4))
    state = next(one for one in states if costly & {text.split()[0] for text in one.legal_actions()})

    def words(preset):
        plans = [
            turnwise.planner(f"{name}:preset={preset}").plan(state, turnwise.parse_budget("forward=400"), seed=seed)
            for seed in range(8)
        ]
        turns = [turn.actions for plan in plans for turn in (plan, *plan.alternatives)]
        return {action.split()[0] for actions in turns for action in actions}

    assert not costly & words("tribes-as-coded")
    assert costly & words("as-coded")


def test_groups_of_actions():
    state = middle(120)
    words = {text: state.action_group(text) for text in state.legal_actions()}
    for text, group in words.items():
        word = text.split()[0]
        expected = {"end": {"end"}, "research": {"tribe"}, "road": {"tribe"}, "move": {"move", "unit"}}
        expected |= {"destroy": {"destroy"}, "disband": {"disband"}}
        city = {"build", "burn", "clear", "grow", "gather", "spawn", "levelup"}
        assert group in expected.get(word, {"city"} if word in city else {"unit"}), text
    assert set(words.values()) >= {"end", "move"}


def test_moves_with_a_goal_are_no_mere_moves():
    """A move onto a village, ruins or a city's centre is in the group of other actions of units."""
    found = Counter()
    for seed in range(6):
        state = middle(80, seed)
        data = state.to_dict()
        for text in state.legal_actions():
            if text.startswith("move"):
                x, y = map(int, text.split()[2].split(","))
                is_goal = data["terrain"][x][y] in "vc" or data["resource"][x][y] == "r"
                found[is_goal, state.action_group(text)] += 1
    assert set(found) <= {(True, "unit"), (False, "move")}
    assert found[True, "unit"]


def test_keep_going_ends_no_turn_and_no_other_script_does_it():
    state = middle(30)
    texts = {state.script("keep-going", seed=seed) for seed in range(200)}
    assert texts == set(state.legal_actions()) - {"end"}
    assert len(texts) > 1
    actor = state.actors()[0]
    own = state.actor_actions(actor)
    assert state.script("keep-going", actor) in (own or [None])


@pytest.mark.parametrize("candidates", ["pruned", "all", "without(destroy,disband)", "without(end,city,tribe)"])
def test_one_action_is_judged_as_by_the_whole_list(candidates):
    states = [middle(steps, seed) for steps in (20, 70, 120, 170) for seed in range(4)]
    states.append(next(one for one in _to_the_end_of_the_turn(states[-1]) if one.legal_actions() == ["end"]))
    states += [middle(150, seed=0), middle(390, seed=2)]  # leaving out groups shows nothing where none of them is legal
    assert {text.split()[0] for state in states for text in state.legal_actions()} >= {"destroy", "disband"}
    codes = sorted({code for state in states for code in state.legal_codes().tolist()})
    for state in states:
        problem, out = Problem(state, turnwise.Budget(iterations=1), 0), np.zeros(GAME.max_actions, np.int64)
        problem.scripts.choose(candidates)
        expected = set(out[: list_candidates(problem.record, Ints.of(out))].tolist())
        assert {code for code in codes if survives(problem.record, code, Ints.of(out))} == expected


def _to_the_end_of_the_turn(state):
    """The states of a turn of random actions that goes on while anything but its end is legal."""
    number = 0
    while True:
        yield state
        state, number = state.play(state.script("keep-going", seed=number) or "end"), number + 1


def test_every_preset_makes_a_planner():
    for name, presets in read_settings_of_tribes().presets.items():
        for preset in presets:
            assert turnwise.planner(f"{name}:preset={preset}").parameters


def read_settings_of_tribes():
    from pathlib import Path

    import turnwise.games.tribes as package

    return read_settings(Path(package.__file__).parent / "settings.toml")
