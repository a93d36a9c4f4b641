"""How a planner in plain Python completes a turn that its search has left unfinished."""

from __future__ import annotations

from random import Random

import numpy as np

from turnwise.core import arguments, calls
from turnwise.core.chance import generator
from turnwise.core.state import State
from turnwise.core.table import ALL, NOTHING
from turnwise.jit.record import array_address
from turnwise.search.forward_model import BY_END, BY_SCORE, SCRIPTED
from turnwise.search.problem_form import completion_index
from turnwise.search.scripted_play import expression_code


def completing_action(state: State, random: Random) -> int:
    """Code of the next action of a turn that was left unfinished, as the game's ``completion`` says."""
    game, kind = state.game, completion_index(state.game)
    if kind == BY_END and game.end_action is not None and state.is_legal(game.end_action):
        return game.end_action
    if kind >= 0:
        rng, scratch = generator(random.getrandbits(64)), np.zeros(game.scratch_words + 1, np.uint64)
        parameters = arguments.parameters((), "A rollout policy")
        more = (kind, array_address(parameters), array_address(rng), array_address(scratch))
        return int(calls.call_at(game, "policy", state.address, *more))
    if kind == SCRIPTED:
        code = expression_code(state, game.completion, seed=random.getrandbits(64))
        if code is not None:
            return code
        if game.end_action is not None and state.is_legal(game.end_action):
            return game.end_action
    if kind == BY_SCORE:
        codes: list[int] = state.candidate_codes().tolist()
        return max(codes, key=lambda code: float(calls.call_at(game, "action_score", state.address, code)))
    return int(random.choice(state.legal_codes()))


def quick_action(state: State) -> int:
    """Code of an action without search: by the first script of a single-player game, else as turns are completed.

    Scores look one action ahead; a script may be a complete strategy that plays a game well to its end.
    """
    game = state.game
    if game.players == 1 and game.script_names:
        code = calls.script_action(game, game.script_names[0], state.row, ALL, generator(state.chance))
        if code != NOTHING and state.is_legal(code):
            return code
    return completing_action(state, Random(state.chance))
