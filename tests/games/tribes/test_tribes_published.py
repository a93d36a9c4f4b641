"""Published figures of the game's size: shown for the options that they are of, and for no others."""

import pytest

import turnwise


@pytest.mark.parametrize(
    "options", [{}, {"tribes": "oumaji+bardur"}, {"level": 3}, {"side": 11}, {"copies": "as-coded"}]
)
def test_published_figures_are_of_the_papers_set_up(options):
    figures, note = turnwise.make("tribes", **options).published_figures()
    assert (figures["branching"], figures["actions"], figures["turn"]) == ("54.47", "9.86", "about 10^15")
    assert note.startswith("Published: ")


@pytest.mark.parametrize(
    "options",
    [
        {"mode": "score"},
        {"players": 3},
        {"side": 12},
        {"fog": True},
        {"land": 0.4},
        {"limit": 20},
        {"without": "philosophy-discount"},
    ],
)
def test_published_figures_are_of_no_other_options(options):
    game = turnwise.make("tribes", **options)
    assert game.published_figures()[0] == {}
    assert f"not of {game.spec}." in game.published_figures()[1]


def test_the_games_that_are_measured_are_those_of_the_frameworks_agents():
    game = turnwise.make("tribes")
    assert game.measured_players == ("script:script=tribes-rules", "osla", "mcts", "rhea", "random")
    assert game.measured_budget == "forward=2000/action"
    for text in game.measured_players:
        turnwise.planner(text)
