"""Forms: made once for a kind of searches in a game, and not more than a bounded number of them."""

from doubles.toy_game import Toy
from turnwise.core.budget import Budget
from turnwise.search.forms import form_of
from turnwise.search.problem import Problem


def test_a_form_is_made_once_for_a_game_and_a_kind():
    game, made = Toy(), []

    def make():
        made.append(object())
        return made[-1]

    assert form_of(game, "one", make) is form_of(game, "one", make)
    assert form_of(game, "other", make) is not form_of(game, "one", make)
    assert form_of(Toy(), "one", make) is made[2]
    for i in range(200):
        form_of(game, i, make)
    assert form_of(game, "one", make) is made[-1]  # forgotten, and made again


def test_searches_of_one_kind_share_no_memory_that_they_write_to():
    state = Toy(chance=True).start(1)
    one, other = (Problem(state, Budget(iterations=5), seed, "rollouts") for seed in (1, 2))
    assert one.record.evaluation == other.record.evaluation
    for name in ("rng", "policy_scratch", "listed", "rollout_row", "rollout_returns", "rollout_listed"):
        ours, theirs = int(getattr(one.record, name)), int(getattr(other.record, name))
        assert ours != 0
        assert ours != theirs
    one.record.forward_calls, one.record.stop = 9, 1
    assert (other.record.forward_calls, other.record.stop) == (0, 0)
    assert (Problem(state, Budget(iterations=5), 3, "rollouts").record.forward_calls) == 0
