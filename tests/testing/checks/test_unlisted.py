"""The declaration that a game lists all legal actions is checked."""

from doubles.toy_game import Toy
from turnwise.testing.checks.game import game_failures

CHECK = "unlisted-refused"


class AcceptsMore(Toy):
    """Declares that it lists all legal actions, but accepts the end of the turn wherever it is not listed."""

    lists_all_legal = True


def test_unlisted_actions_must_be_refused():
    failures = {failure.check: failure for failure in game_failures(AcceptsMore(), seed=3, states=40)}
    assert "is_legal accepts an action that is not listed" in failures[CHECK].message
    assert failures[CHECK].action == "end"
    assert CHECK not in {failure.check for failure in game_failures(AcceptsMore(end="free"), seed=3, states=40)}
