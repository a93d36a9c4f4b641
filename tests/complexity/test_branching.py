"""The measurement of a game's size."""

import json
import math
from itertools import combinations

import pytest

import turnwise
from turnwise.complexity import branching
from turnwise.complexity.branching import measure_branching
from turnwise.complexity.turn_outcomes import turn_outcomes
from turnwise.core.errors import OptionError

PLAYERS = ("random", "random")


@pytest.fixture(scope="module")
def measured():
    return measure_branching("hero-academy:map=a-tiny", PLAYERS, "iterations=1", games=3, seed=4, positions=3)


def test_figures_fit_together(measured):
    assert len(measured.games) == 3
    assert sum(group.decisions for group in measured.by_turn()) == len(measured.choices)
    assert sum(group.decisions for group in measured.by_action()) == len(measured.choices)
    assert [group.number for group in measured.by_action()] == [1, 2, 3, 4, 5]
    assert all(group.pruned <= group.listed for group in measured.by_turn())
    assert sum(measured.turn_lengths) == len(measured.choices)
    assert max(measured.turn_lengths) == 5
    assert sum(measured.endings().values()) == pytest.approx(1)
    for game in measured.games:
        assert game.turns >= max(choice.turn for choice in game.choices)
    digits = [sum(math.log10(choice.listed) for choice in game.choices) for game in measured.games]
    assert measured.tree_digits() == pytest.approx(sum(digits) / 3)


def test_turns_of_several_players_in_one_round_are_several_turns():
    rules = "script:script=tribes-rules"
    found = measure_branching("tribes:side=8,limit=2,level=5", (rules, rules), "forward=0", games=1, positions=0)
    turns = [choice.turn for choice in found.games[0].choices]
    assert sorted(set(turns)) == list(range(1, 7))  # three rounds of two players
    assert found.games[0].turns == 6
    assert len(found.turn_lengths) == 6
    assert [turn for turn, choice in zip(turns, found.choices, strict=True) if choice.action == 1] == [1, 2, 3, 4, 5, 6]


def test_listed_counts_are_those_of_the_legal_list(measured):
    first = measured.games[0].choices[0]
    assert (first.turn, first.action) == (1, 1)
    assert first.listed >= first.pruned >= 1


def test_the_same_seed_gives_the_same_figures(measured):
    again = measure_branching("hero-academy:map=a-tiny", PLAYERS, "iterations=1", games=3, seed=4, positions=3)
    assert json.dumps(again.to_dict()) == json.dumps(measured.to_dict())
    other = measure_branching("hero-academy:map=a-tiny", PLAYERS, "iterations=1", games=3, seed=5, positions=0)
    assert other.games != measured.games


def test_the_table_shows_the_papers_figures():
    measured = measure_branching("hero-academy", PLAYERS, "iterations=1", games=1, positions=0)
    rows = {what: (value, paper) for what, value, paper in measured.rows()}
    assert "7.78e8" in rows["action sequences of a turn as played (geometric mean)"][1]
    assert "40" in rows["rounds per game (mean; one turn of each player)"][1]
    assert "1.82e711" in rows["game tree (geometric mean)"][1]
    assert measured.paper_note.startswith("Paper: section 2.4")


def test_the_papers_figures_are_not_shown_for_other_scenarios(measured):
    assert not any(paper for _, _, paper in measured.rows())
    assert any(what.startswith("distinct outcomes of a turn, pruned") for what, _, _ in measured.rows())
    assert "left out" in measured.paper_note
    assert "not of hero-academy:map=a-tiny." in measured.paper_note


def test_more_players_than_seats_meet_in_all_pairs_and_change_seats(monkeypatch):
    seated = []
    play = branching.play_game

    def watched(game, players, *others, **more):
        seated.append(tuple(players))
        return play(game, players, *others, **more)

    monkeypatch.setattr(branching, "play_game", watched)
    players = ("random", "heuristic", "greedy-action")
    found = measure_branching("hero-academy:map=a-tiny", players, "iterations=1", games=2, positions=0)
    assert found.players == players
    assert [set(pair) for pair in seated[:3]] == [set(pair) for pair in combinations(players, 2)]
    assert [pair[::-1] for pair in seated[:3]] == seated[3:]
    assert len(found.games) == 6


def test_intervals_are_of_games_and_of_sampled_turns(measured):
    turns, outcomes = measured.turn_branching_interval(), measured.outcomes_interval()
    assert turns.low < turns.estimate < turns.high
    assert turns.estimate == pytest.approx(measured.turn_branching(), rel=0.5)
    counted = [math.log10(each.outcomes) for each in measured.outcomes]
    assert math.log10(outcomes.estimate) == pytest.approx(sum(counted) / 3)
    assert min(counted) <= math.log10(outcomes.low) <= math.log10(outcomes.high) <= max(counted)
    assert measured.to_dict()["outcomes_per_turn"]["low"] == outcomes.low
    alone = measure_branching("hero-academy:map=a-tiny", PLAYERS, "iterations=1", games=1, positions=0)
    assert alone.turn_branching_interval() is None
    assert alone.outcomes_interval() is None


def test_states_kept_while_counting_are_fewer_where_they_are_large(monkeypatch):
    kept = []
    monkeypatch.setattr(branching, "turn_outcomes", lambda *a, most_states, **k: kept.append(most_states))
    for name, most in (("hero-academy:map=a-tiny", branching.MOST_STATES), ("tribes:limit=1", 128 * 2**20 // 3312)):
        measure_branching(name, PLAYERS, "iterations=1", games=1, positions=1)
        assert kept[-1] == most


@pytest.mark.parametrize("options", [{}, {"deck": "standard"}, {"hands": "open"}, {"draws": "random"}])
def test_published_figures_are_of_the_papers_set_up(options):
    figures, _ = turnwise.make("hero-academy", **options).published_figures()
    assert figures


@pytest.mark.parametrize(
    "options", [{"map": "a-small"}, {"deck": "small"}, {"action_points": 6}, {"turn_limit": 50}, {"map": "d.c.C.D"}]
)
def test_published_figures_are_of_no_other_options(options):
    assert turnwise.make("hero-academy", **options).published_figures()[0] == {}


def walk(state, pruned):
    """Every end of the turn, one entry per sequence."""
    ends, mover = [], state.to_move
    open_states = [state]
    while open_states:
        here = open_states.pop()
        if here.to_move != mover:
            ends.append(here)
        else:
            codes = here.candidate_codes() if pruned else here.legal_codes()
            open_states += [here.play(int(code)) for code in codes]
    return ends


@pytest.mark.parametrize("pruned", [False, True])
def test_outcomes_are_those_of_all_sequences(pruned):
    state = turnwise.make("hero-academy", map="a-tiny", first_turn_points=3).start(3)
    counted = turn_outcomes(state, 3, pruned=pruned)
    ends = walk(state, pruned)
    assert counted.exact
    assert counted.sequences == len(ends)
    assert counted.outcomes == len({end.fingerprint for end in ends})


def test_extrapolation_comes_near_the_count():
    """With the last layer left out, the extrapolated numbers are within a quarter of the true ones."""
    state = turnwise.make("hero-academy", map="a-small", first_turn_points=5).start(3)
    true = turn_outcomes(state, 5, pruned=True)
    guess = turn_outcomes(state, 5, pruned=True, most_states=int(true.outcomes / 2))
    assert true.exact
    assert not guess.exact
    assert guess.counted_actions == 4
    assert guess.outcomes == pytest.approx(true.outcomes, rel=0.25)
    assert guess.sequences == pytest.approx(true.sequences, rel=0.25)


def test_games_without_an_action_are_refused_with_what_ended_them(monkeypatch):
    class Failing(turnwise.PythonPlanner):
        def search(self, state, meter, random):
            raise ZeroDivisionError("a mistake in the planner")

    monkeypatch.setitem(turnwise.PLANNERS._classes, "failing", Failing)
    with pytest.raises(OptionError, match=r"no action was played in 2 games; the first ended: exception \(.*ZeroDiv"):
        measure_branching("samegame", ["failing"], "iterations=1", games=2)


def test_impossible_requests_get_a_clear_message():
    with pytest.raises(OptionError, match="games must be at least 1"):
        measure_branching("hero-academy", PLAYERS, games=0)
    with pytest.raises(OptionError, match="2 seats"):
        measure_branching("hero-academy", ("random",), games=1)
