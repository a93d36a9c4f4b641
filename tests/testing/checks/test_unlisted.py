"""The declaration that a game lists all legal actions is checked."""

import pytest

from doubles.toy_game import Toy
from turnwise.testing import ConformanceError, check_game


class AcceptsMore(Toy):
    """Declares that it lists all legal actions, but accepts the end of the turn wherever it is not listed."""

    lists_all_legal = True


def test_unlisted_actions_must_be_refused():
    with pytest.raises(ConformanceError, match=r"unlisted-refused.*is_legal accepts an action that is not listed"):
        check_game(AcceptsMore(), seed=3, states=40)
    check_game(AcceptsMore(end="free"), seed=3, states=40)
