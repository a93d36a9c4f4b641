"""The game."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field

from doubles.skirmish import actors, evaluation, knowledge, rules
from doubles.skirmish.notation import board_text, checked_fields, read_action, square_text
from doubles.skirmish.scripts import SCRIPTS
from doubles.skirmish.state import (
    END,
    FAR,
    HEIGHT,
    MOST_HEALTH,
    MOST_UNITS,
    PLAYERS,
    SQUARES,
    VERBS,
    WIDTH,
    WORDS,
    SkirmishState,
)
from turnwise.core.errors import NotationError
from turnwise.core.game import Evaluation, Game, GameOptions

_FUNCTIONS = (
    *(rules.start, rules.legal_actions, rules.is_legal, rules.apply, rules.to_move, rules.turn, rules.returns),
    *(rules.fingerprint, actors.prune, actors.action_score, actors.actor, actors.actors, actors.actor_kind),
    *(actors.actor_health, actors.actor_actions, actors.heir, actors.index, actors.neighbour_action, actors.policy),
    *(knowledge.view, knowledge.determinise, knowledge.news, knowledge.features, evaluation.metrics),
)


class SkirmishOptions(GameOptions):
    players: int = Field(default=3, ge=2, le=PLAYERS)
    units: int = Field(default=4, ge=1, le=MOST_UNITS)
    turns: int = Field(default=40, ge=1, le=10**6)
    unbounded: bool = True
    chance_every: int = Field(default=0, ge=0, le=10**6)
    fog: bool = False
    max_turn: int = Field(default=60, ge=1)


class Skirmish(Game):
    name, title, rules_version, Options = "skirmish", "Skirmish", "1", SkirmishOptions
    completion = "end"
    end_action = END
    policies = ("fierce", "calm")
    metrics = ("units", "material")
    default_evaluation = "material"
    indices = len(VERBS) * SQUARES + 1
    feature_shape = (4, HEIGHT, WIDTH)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        o: SkirmishOptions = self.options
        self.players, self.max_turn = o.players, o.max_turn
        self.setup = np.array([o.players, o.units, o.turns, o.unbounded, o.chance_every, o.fog], np.uint64)
        self.state_words, self.max_actions = WORDS, 5 * o.units + 1
        self.scratch_words = self.script_words = self.max_actions
        self.is_stochastic = o.chance_every > 0
        self.reveals_in_turn = self.is_stochastic or o.fog

    def functions(self):
        table = {function.python.__name__: function for function in _FUNCTIONS}
        if not self.options.fog:
            del table["view"], table["determinise"]
        return table

    def evaluations(self):
        most = float((MOST_HEALTH + 2) * self.options.units)
        text = "own material less mean material of the others"
        return {
            "material": Evaluation(evaluation.material_of, -most, most, text, for_all=evaluation.material_of_all),
            "distance": Evaluation(evaluation.distance_of, 0.0, 100.0 * FAR, "closeness to the enemy", (100.0,)),
        }

    def scripts(self):
        return SCRIPTS

    def action_text(self, row, action):
        if action == END:
            return "end"
        if not 0 <= action < END or action % 16 >= len(VERBS):
            raise NotationError(f"code {action:#x} is not an action of skirmish")
        return f"{square_text(action // 16)}-{VERBS[action % 16]}"

    def parse_action(self, row, text):
        square, verb = read_action(text)
        return END if verb == "end" else 16 * square + VERBS.index(verb)

    def state_dict(self, row):
        state = np.frombuffer(row.tobytes(), SkirmishState.dtype)[0]
        return {field: state[field].tolist() for field in SkirmishState.fields}

    def state_row(self, data):
        state = np.zeros(1, SkirmishState.dtype)
        for field, values in checked_fields(data, self.players).items():
            state[field] = values
        return np.frombuffer(state.tobytes(), np.uint64).copy()

    def board_text(self, row):
        return board_text(self.state_dict(row))
