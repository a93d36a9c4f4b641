"""The rule-based agent of the original: what it never does, what it always does, and that it beats chance."""

import pytest

import turnwise

GAME = turnwise.make("tribes", level=3, limit=12)


def choices(seed):
    """The agent's games against itself: the legal texts of every state, and what was chosen."""
    state = GAME.start(seed)
    for step in range(400):
        if state.is_over:
            return
        chosen = state.script("tribes-rules", seed=step)
        yield [GAME.action_text(state.row, code) for code in state.legal_codes()], chosen
        state = state.play(chosen)


@pytest.mark.parametrize("seed", [1, 2])
def test_it_gives_nothing_up_and_takes_what_it_can(seed):
    taken = 0
    for texts, chosen in choices(seed):
        assert chosen in texts
        assert not chosen.startswith(("disband", "destroy"))
        best = [text for text in texts if text.startswith(("capture", "examine", "veteran"))]
        rated = ("capture", "examine", "veteran", "levelup", "gather", "research", "spawn", "attack", "convert", "heal")
        if best:
            assert chosen.startswith((*rated, "move"))  # all that can be rated 5, as these are
            taken += chosen in best
    assert taken > 0


def test_it_beats_chance():
    won = 0
    for seed in range(4):
        state = turnwise.make("tribes", level=3, limit=20).start(seed)
        agents = ("tribes-rules", "random") if seed % 2 == 0 else ("random", "tribes-rules")
        step = 0
        while not state.is_over:
            state = state.play(state.script(agents[state.to_move], seed=step))
            step += 1
        won += state.returns[agents.index("tribes-rules")] > 0
    assert won >= 3
