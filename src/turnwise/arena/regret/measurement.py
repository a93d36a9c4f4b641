"""Measuring the turns of several planners in one position, in a game for two players.

::

    position(n): play game n between two of the sources; the start of a turn that is drawn from those with a choice
    value(turn): play the turn; let the other side reply with a long search's turn; evaluate for the turn's player
    regret of a planner = value(turn of the reference) - value(turn of the planner)

Positions come from games of their own, one from each, so they are independent. The reply is the same search for
all turns, with the same seed, so equal outcomes have equal values. It need not be the best reply: a regret can be
negative where the planner's turn is better than that of the reference.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

from turnwise.arena.match import play_game
from turnwise.arena.player import Player
from turnwise.arena.tournament.job import warm
from turnwise.core.budget import parse_budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import OptionError, TurnwiseError
from turnwise.core.game import Game
from turnwise.core.spec_text import settings_text
from turnwise.core.state import State
from turnwise.registry import make, planner
from turnwise.replay import ReplayStep

REFERENCE = "reference"
"""Name of the planner with which all others are compared."""


class Turns(NamedTuple):
    """The turns of one planner with one budget.

    Attributes:
        text: The planner's text.
        budget: The budget's text.
        key: Name with all parameters, and the budget: what decides its turns.
    """

    text: str
    budget: str
    key: str

    @staticmethod
    def of(text: str, budget: str) -> Turns:
        """The turns of a planner, from the texts that a user gives."""
        mind, limit = planner(text), str(parse_budget(budget))
        return Turns(mind.spec, limit, f"{settings_text(mind.name, mind.parameters.model_dump(mode='json'))} {limit}")


@dataclass(frozen=True)
class RegretSpec:
    """A measurement.

    Attributes:
        game: The scenario's text; a game for two players.
        players: Name -> planner's text.
        budgets: Name -> budget of the player's turn.
        reference: Text of the planner whose turns the others are compared with.
        reference_budget: Its budget.
        reply: Text of the planner that replies to every turn.
        reply_budget: Its budget.
        sources: Texts of the planners whose games give the positions; at least two.
        source_budget: Their budget.
        positions: Number of positions.
        seed: Seed of positions, planners and replies.
        scenario: The game.
    """

    game: str
    players: Mapping[str, str]
    budgets: Mapping[str, str]
    reference: str
    reference_budget: str
    reply: str
    reply_budget: str
    sources: tuple[str, ...]
    source_budget: str
    positions: int
    seed: int = 0
    scenario: Game = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the fields.

        Raises:
            OptionError: The game is not for two players, there are fewer than two sources, a player has no budget or
                the name of the reference, or the number of positions is below 1.
        """
        object.__setattr__(self, "scenario", make(self.game))
        if self.scenario.players != 2:
            raise OptionError(f"Regret is measured in games for two players; {self.game} has {self.scenario.players}.")
        if len(self.sources) < 2 or self.positions < 1:
            raise OptionError(
                f"Expected at least two sources and one position; got {len(self.sources)} and {self.positions}."
            )
        if set(self.players) != set(self.budgets) or REFERENCE in self.players:
            raise OptionError(
                f"Every player needs a budget, and none may be called {REFERENCE!r}; got the players "
                f"{', '.join(self.players)} and budgets of {', '.join(self.budgets)}."
            )
        for text in (*self.budgets.values(), self.reference_budget, self.reply_budget, self.source_budget):
            parse_budget(text)

    @property
    def is_timed(self) -> bool:
        """Whether wall time limits any search, so that values depend on the machine."""
        limits = (*self.budgets.values(), self.reference_budget, self.reply_budget, self.source_budget)
        return any(parse_budget(limit).is_timed for limit in limits)

    @property
    def everybody(self) -> dict[str, Turns]:
        """Name -> what is measured: the turns of the players and of the reference."""
        found = {REFERENCE: Turns.of(self.reference, self.reference_budget)}
        return found | {name: Turns.of(text, self.budgets[name]) for name, text in self.players.items()}

    @property
    def identity(self) -> dict[str, Any]:
        """What decides positions and replies, as JSON data; players and number of positions are not part of it."""
        return {
            "game": self.scenario.spec,
            "rules": self.scenario.rules_version,
            "reply": Turns.of(self.reply, self.reply_budget).key,
            "sources": [Turns.of(text, self.source_budget).key for text in self.sources],
            "seed": self.seed,
        }


def job_text(spec: RegretSpec, number: int, missing: Iterable[Turns]) -> str:
    """A job: what is missing in one position.

    Args:
        spec: The measurement.
        number: Number of the position.
        missing: What is to be measured there.
    """
    return json.dumps(
        {
            "game": spec.scenario.spec,
            "reply": Turns.of(spec.reply, spec.reply_budget),
            "sources": [planner(text).spec for text in spec.sources],
            "source_budget": spec.source_budget,
            "seed": spec.seed,
            "position": number,
            "turns": list(missing),
        }
    )


def measure(text: str) -> str:
    """Do a job: text in, text out, so that any worker can do it.

    Args:
        text: That of :func:`job_text`.

    Returns:
        JSON: ``{"position": number, "state": ..., "turns": {key: {"value": ..., "actions": [...]}}}``, or
        ``{"error": "..."}``.
    """
    try:
        job = json.loads(text)
        position = sample_position(job)
        replies: dict[int, float] = {}
        turns = {key: _measured(position, job, mind, limit, replies) for mind, limit, key in job["turns"]}
        found = {"position": job["position"], "state": position.to_dict(), "turns": turns}
    except Exception as error:
        reason = str(error) if isinstance(error, TurnwiseError) else f"{type(error).__name__}: {error}"
        return json.dumps({"error": reason})
    return json.dumps(found)


def sample_position(job: Mapping[str, Any]) -> State:
    """The start of a turn in which the mover has a choice, drawn from a game of its own."""
    game, seed, number = make(job["game"]), derive_seed(job["seed"], "position", job["position"]), job["position"]
    pairs = list(combinations(job["sources"], 2))
    pair = pairs[number % len(pairs)]
    table = pair if number // len(pairs) % 2 == 0 else pair[::-1]
    begun: list[State] = []

    def look(state: State, _: ReplayStep | None) -> None:
        known = begun and (begun[-1].turn, begun[-1].to_move) == (state.turn, state.to_move)
        if not state.is_over and not known and len(state.legal_codes()) > 1:
            begun.append(state)

    start = game.start(seed)
    look(start, None)
    play_game(game, list(table), job["source_budget"], seed=seed, start=start, observer=look)
    if not begun:
        raise OptionError(f"Game {number} of {game.spec} has no turn with a choice.")
    return begun[derive_seed(seed, "turn") % len(begun)]


def _measured(
    position: State, job: Mapping[str, Any], mind: str, limit: str, replies: dict[int, float]
) -> dict[str, Any]:
    """The value of a planner's turn after the reply, for the turn's player, and its actions.

    Args:
        position: The position.
        job: The job.
        mind: The planner's text.
        limit: Its budget.
        replies: Fingerprint of the state after a turn -> value after the reply; updated.
    """
    seat = position.to_move
    warm(job["game"], mind)  # nothing is compiled while its clock runs
    ended, actions = play_turn(position, mind, limit, derive_seed(job["seed"], "turn", position.fingerprint))
    if ended.fingerprint not in replies:
        after = ended
        if not ended.is_over and ended.to_move != seat:
            other, reply_limit, _ = job["reply"]
            after, _ = play_turn(ended, other, reply_limit, derive_seed(job["seed"], "reply", position.fingerprint))
        replies[ended.fingerprint] = after.evaluate(seat)
    return {"value": replies[ended.fingerprint], "actions": actions}


def play_turn(state: State, mind: str, limit: str, seed: int) -> tuple[State, list[str]]:
    """Let a planner play the turn of whoever is to move, as in a game.

    Args:
        state: The start of the turn.
        mind: The planner's text.
        limit: Its budget.
        seed: Seed of its choices.

    Returns:
        The state after the turn, and the actions as texts.

    Raises:
        TurnwiseError: The planner chose an action that is not legal.
    """
    whose, turn, actions = state.to_move, state.turn, []
    player = Player(planner(mind), mind, state.game, whose, parse_budget(limit), seed, notes="none")
    while not state.is_over and (state.to_move, state.turn) == (whose, turn):
        action, _ = player.decide(state)
        actions.append(state.text(action))
        state = state.play(action)
    return state, actions
