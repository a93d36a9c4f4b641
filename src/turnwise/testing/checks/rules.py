"""Checks of the rules: legality, purity, chance, turns, ends."""

from __future__ import annotations

import math
from itertools import groupby

import numpy as np

from turnwise.core.errors import TurnwiseError
from turnwise.core.state import State
from turnwise.testing.checks.failures import Broken
from turnwise.testing.checks.sample import StateSample, listed_safely, text_of


def legal_lists(sample: StateSample) -> None:
    """While the game goes on, the list has 1 to max_actions entries, all different."""
    for state in sample.running:
        listed = listed_safely(state)
        if len(set(listed)) < len(listed):
            twice = next(code for code in listed if listed.count(code) > 1)
            raise Broken("an action is listed twice", state, text_of(state, twice))


def listed_accepted(sample: StateSample) -> None:
    """is_legal accepts every listed action, and the end-of-turn action if the game has one."""
    for state in sample.running:
        for code in state.legal_codes().tolist():
            if not state.is_legal(code):
                raise Broken("is_legal refuses a listed action", state, text_of(state, code))
        game = sample.game
        if game.end_action is not None and not game.end_can_wait and not state.is_legal(game.end_action):
            attribute = "ends_turn" if sample.game.is_plain_python else "end_action"
            raise Broken(
                f"the action that ends a turn ({attribute}) is not legal here, but it must always be legal",
                state,
                text_of(state, game.end_action),
            )


_ELSEWHERE = 64  # codes of other states that are tried in each


def unlisted_refused(sample: StateSample) -> None:
    """Where a game declares that it lists all legal actions, is_legal refuses what other states list."""
    if not sample.game.lists_all_legal:
        return
    known: dict[int, None] = {}
    for state in sample.running:
        listed = set(state.legal_codes().tolist())
        others = [code for code in known if code not in listed]
        for code in others[-_ELSEWHERE:]:
            if state.is_legal(code):
                raise Broken(
                    "is_legal accepts an action that is not listed, but the game declares lists_all_legal",
                    state,
                    text_of(state, code),
                )
        known |= dict.fromkeys(listed)


def pure_questions(sample: StateSample) -> None:
    """Queries of a state, and actions on a copy of it, change neither the state nor the setup."""
    game = sample.game
    for state in sample.states:
        before, row = state.to_dict(), state.row.copy()
        _ask_everything(state)
        _same(before, row, state, "a query of a state changed it")
        for code in sample.some_actions(state):
            state.play(code)
            _same(before, row, state, "playing an action on a copy changed the original", code)
        if not np.array_equal(sample.setup, game.setup):
            raise Broken("the game changed its own setup row", state)


def _ask_everything(state: State) -> None:
    """Call all functions that must not change a state."""
    _ = (state.to_move, state.turn, state.returns, state.fingerprint, str(state), state.candidate_codes())
    for player in range(state.game.players):
        state.view(player)
        state.metrics(player)
        for name in state.game.evaluation_names:
            state.evaluate(player, name)


def _same(before: object, row: object, state: State, message: str, code: int | None = None) -> None:
    if state.to_dict() != before or not np.array_equal(state.row, row):  # type: ignore[arg-type]
        raise Broken(message, state, "" if code is None else text_of(state, code))


def replays(sample: StateSample) -> None:
    """A second game object replays every game identically: from its seed, and from its recorded chance outcomes."""
    for played in sample.games:
        for source in ("seed", "outcomes"):
            recorded = source == "outcomes"
            state = sample.twin().start(played.seed, played.states[0].outcomes if recorded else None)
            _equal(state, played.states[0], f"the start from the same {source} is another state", "")
            for number, code in enumerate(played.codes):
                before, after = played.states[number], played.states[number + 1]
                text = before.text(code)
                try:
                    state = state.play(text, after.outcomes if recorded else None)
                except TurnwiseError as error:
                    raise Broken(f"the replay from the same {source} failed: {error}", before, text) from error
                _equal(state, after, f"the replay from the same {source} leads to another state", text)


def _equal(got: State, expected: State, message: str, action: str) -> None:
    if got.to_dict() != expected.to_dict():
        source = "the argument random" if got.game.is_plain_python else "the rng row"
        causes = f"chance that does not come from {source}, or states that are changed by later actions"
        raise Broken(f"{message}; likely causes: {causes}", expected, action)


def declared_chance(sample: StateSample) -> None:
    """A game that draws after its start declares it (is_stochastic)."""
    if sample.game.is_stochastic:
        return
    for played in sample.games:
        for number, after in enumerate(played.states[1:]):
            if after.outcomes:
                before = played.states[number]
                text = text_of(before, played.codes[number])
                raise Broken("an action drew a chance outcome, but is_stochastic is False", before, text)


def undrawn_actions(sample: StateSample) -> None:
    """An action that draws nothing leads to the same state from every chance stream."""
    for state in sample.running:
        for code in sample.some_actions(state):
            one, other = (state.with_chance(seed).play(code) for seed in (1, 2))
            if one.outcomes or other.outcomes:
                continue
            if one.to_dict() != other.to_dict():
                message = "an action that drew no outcome leads to different states; all chance must come from draw()"
                raise Broken(message, state, text_of(state, code))


def turns(sample: StateSample) -> None:
    """Players to move exist, and a turn never begins again."""
    game = sample.game
    for played in sample.games:
        for state in played.states:
            if not -1 <= state.to_move < game.players:
                raise Broken(
                    f"to_move is {state.to_move}; expected -1 (over) or a player from 0 to {game.players - 1}", state
                )
        running = [state for state in played.states if not state.is_over]
        seen: set[tuple[int, int]] = set()
        for key, states in groupby(running, key=lambda state: (state.to_move, state.turn)):
            if key in seen:
                message = f"player {key[0]} (counted from 0): turn number {key[1]} began a second time; "
                message += "expected a number that grows from turn to turn, such as one that play counts in the state"
                raise Broken(message, next(states))
            seen.add(key)


def results(sample: StateSample) -> None:
    """Returns are finite in every state, and a finished game stays finished under every query."""
    for state in sample.states:
        if not all(math.isfinite(result) for result in state.returns):
            raise Broken(f"returns are {state.returns}; expected finite numbers", state)
