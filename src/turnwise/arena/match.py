"""One game between players, from its start to a named ending.

A player that breaks the rules forfeits: it returns an illegal action, raises an exception, does not keep the protocol
of engines, or greatly overruns its time (only if the match rules say so). The others then share the win. An error in
the *game's* own functions is no player's fault and is raised to the caller.

A planner runs in the caller's process and cannot be stopped from outside; a planner that never returns blocks its game.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

from turnwise.arena.player import Notes, Overrun, Player
from turnwise.arena.records import FORFEITS, Ending, GameRecord, SeatRecord
from turnwise.core import arguments
from turnwise.core.budget import Budget, as_budget
from turnwise.core.chance import derive_seed
from turnwise.core.errors import (
    GameFunctionError,
    IllegalActionError,
    NotationError,
    OptionError,
    PlayerFault,
    counted,
    shown,
)
from turnwise.core.game import Game, as_game
from turnwise.core.state import State
from turnwise.core.user_code import failing_line
from turnwise.registry import make, planner
from turnwise.replay import Replay, ReplayStep
from turnwise.search.plans_turns import PlansTurns, as_planner

TURN_LIMIT = "turn limit"
_LONGEST_DETAIL = 500
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")

Observer = Callable[[State, ReplayStep], None]


@dataclass(frozen=True, slots=True)
class MatchRules:
    """Match rules in addition to the rules of the game.

    Attributes:
        max_turns: The game is drawn by limit after this many turns, counted over all players; None: no limit.
        forfeit_overrun: A player that uses more than this many times its time budget in one turn forfeits;
            None: overruns are only recorded.
        notes: What the replay keeps of the plans: "full", "plans" (without alternatives) or "none".
    """

    max_turns: int | None = None
    forfeit_overrun: float | None = None
    notes: Notes = "full"

    def __post_init__(self) -> None:
        """Check the values.

        Raises:
            OptionError: The limit is not a number of turns, the factor is below 0, or the value of notes is unknown.
        """
        if self.max_turns is not None:
            arguments.whole_number(self.max_turns, "max_turns", 0)
        if self.forfeit_overrun is not None:
            arguments.number(self.forfeit_overrun, "forfeit_overrun", 0.0)
        arguments.choice(self.notes, "notes", get_args(Notes))


@dataclass(frozen=True, slots=True)
class End:
    """How a game ended; ``fault``: the seat that forfeits; ``stopped``: whether the arena ended it, not its rules."""

    ending: Ending
    detail: str = ""
    fault: int | None = None
    stopped: bool = False


def play_game(
    game: Game | str,
    players: Sequence[PlansTurns | str],
    budget: Budget | str | Sequence[Budget | str],
    *,
    seed: int = 0,
    start: State | None = None,
    seeds: Sequence[int] | None = None,
    names: Sequence[str] = (),
    rules: MatchRules = MatchRules(),
    observer: Observer | None = None,
) -> GameRecord:
    """Play one game. With any budget but time, equal arguments give equal games.

    Args:
        game: The scenario, or its text.
        players: One per seat: planners, their texts, or any objects with ``plan``.
        budget: One for all players, or one per seat; a :class:`Budget` or its text.
        seed: Seed of the start, and of the players' seeds if ``seeds`` is not given.
        start: First state, instead of the one that ``seed`` gives. Its chance stream continues in the game.
        seeds: One per seat: seeds of the players' own choices.
        names: One per seat; default: the planners' texts, numbered where equal.
        rules: Limits and notes.
        observer: Called after every action with the new true state and the step.

    Returns:
        The record, with an empty key and group 0.

    Raises:
        OptionError: An argument has the wrong type; the number of players, budgets, seeds or names is wrong; or the
            start belongs to another scenario.
        GameFunctionError: A function of the game failed.
        KeyboardInterrupt: Ctrl-C, including during a search.
    """
    seed = arguments.seed(seed)
    if start is not None:
        start = arguments.instance(start, State, "The start", "a State, as game.start() gives it")
    game, start = _scenario(game if isinstance(game, str) else as_game(game), start, seed)
    given_players = arguments.sequence(players, "The players", "planners or their texts")
    minds = [as_planner(planner(p) if isinstance(p, str) else p) for p in given_players]
    arguments.instance(rules, MatchRules, "The rules", "MatchRules(...)")
    count = game.players
    if len(minds) != count:
        raise OptionError(f"{game.spec} has {counted(count, 'seat')}; got {counted(len(minds), 'player')}.")
    if isinstance(budget, str | Budget):
        budgets: list[Budget | str] = [budget] * count
    elif isinstance(budget, Sequence) and not isinstance(budget, bytes):
        budgets = list(budget)
    else:
        raise OptionError(
            "The budget must be a Budget or its text, such as 'iterations=1000', for all players, or a list of them, "
            f"one per seat; got {shown(budget)}."
        )
    if seeds is None:
        seeds = [derive_seed(seed, "player", seat) for seat in range(count)]
    seeds = [arguments.seed(own) for own in arguments.sequence(seeds, "seeds", "whole numbers")]
    names = [arguments.text(name, "A player's name") for name in arguments.sequence(names, "names", "texts")]
    names = names or default_names(minds, given_players)
    for what, given in (("budget", budgets), ("seed", seeds), ("name", names)):
        if len(given) != count:
            raise OptionError(f"{game.spec} has {counted(count, 'seat')}; got {counted(len(given), what)}.")
    limits = [as_budget(limit) for limit in budgets]
    history: list[str] = []
    table = [
        Player(
            mind,
            names[seat],
            game,
            seat,
            limit,
            seeds[seat],
            notes=rules.notes,
            forfeit_overrun=rules.forfeit_overrun,
            history=history,
        )
        for seat, (mind, limit) in enumerate(zip(minds, limits, strict=True))
    ]
    return _Match(table, start, rules, observer, history).run(seed)


def _scenario(game: Game | str, start: State | None, seed: int) -> tuple[Game, State]:
    """One game object for players and states: a row of a game in plain Python is valid for one game object only.

    A game object given by the caller takes precedence, since the caller may have added evaluations to it.
    """
    scenario = make(game) if isinstance(game, str) else game
    if start is None:
        return scenario, scenario.start(seed)
    if start.game.spec != scenario.spec:
        raise OptionError(f"The start is a state of {start.game.spec}, not of {scenario.spec}.")
    if isinstance(game, str) or start.game is game:
        return start.game, start
    return game, game.from_dict(start.to_dict(), start.chance)


def default_names(minds: Sequence[PlansTurns], given: Sequence[PlansTurns | str]) -> list[str]:
    """Distinct names for players: their texts, or class names of objects without one; numbered where equal.

    Args:
        minds: The players.
        given: The same as the caller gave them, as objects or as texts.
    """
    named = [one if isinstance(one, str) else type(one).__name__ for one in given]
    texts = [str(getattr(mind, "spec", name)) for mind, name in zip(minds, named, strict=True)]
    return [f"{text} #{texts[: i + 1].count(text)}" if texts.count(text) > 1 else text for i, text in enumerate(texts)]


class _Match:
    """A game in progress."""

    def __init__(
        self, table: list[Player], start: State, rules: MatchRules, observer: Observer | None, history: list[str]
    ) -> None:
        self.table, self.rules, self.observer, self.history = table, rules, observer, history
        self.game, self.start, self.state = start.game, start, start
        self.steps: list[ReplayStep] = []
        self.turns = 0
        self.turn: tuple[int, int] | None = None

    def run(self, seed: int) -> GameRecord:
        began = time.perf_counter()
        end = None
        while end is None:
            end = self._advance()
        returns = self.state.returns
        scores, ranks = award(returns, end)
        seats = tuple(
            SeatRecord(
                player=player.name,
                seat=player.seat,
                rank=ranks[player.seat],
                score=scores[player.seat],
                result=returns[player.seat],
                metrics=self.state.metrics(player.seat),
                costs=tuple(player.costs),
            )
            for player in self.table
        )
        replay = Replay(
            game=self.game.name,
            rules=self.game.rules_version,
            options=self.game.options.model_dump(mode="json", exclude_defaults=True),
            start=self.start.to_dict(),
            players=tuple(player.name for player in self.table),
            steps=tuple(self.steps),
            result=end.ending.value,
            returns=returns,
        )
        return GameRecord(
            key="",
            group=0,
            ending=end.ending,
            detail=end.detail,
            turns=self.turns,
            seats=seats,
            replay=replay,
            seconds=time.perf_counter() - began,
            scenario=self.game.spec,
            start_seed=seed,
        )

    def _advance(self) -> End | None:
        """Play one action; returns how the game ended, or None while it goes on."""
        mover = self.state.to_move
        if mover < 0:
            return ended(self.state)
        turn = (mover, self.state.turn)
        if turn != self.turn:
            if self.rules.max_turns is not None and self.turns >= self.rules.max_turns:
                return End(Ending.DRAWN_BY_LIMIT, f"stopped after {counted(self.turns, 'turn')}", stopped=True)
            self.turn, self.turns = turn, self.turns + 1
        try:
            action, note = self.table[mover].decide(self.state)
            if not (-(2**63) <= action < 2**63 and self.state.is_legal(action)):
                return End(Ending.ILLEGAL_ACTION, self._detail(mover, f"{self._named(action)} is not legal"), mover)
        except Overrun as event:
            return End(Ending.TIME_OVERRUN, self._detail(mover, str(event)), mover)
        except (IllegalActionError, NotationError) as error:
            return End(Ending.ILLEGAL_ACTION, self._detail(mover, str(error)), mover)
        except PlayerFault as fault:
            return End(Ending(fault.ending), self._detail(mover, str(fault)), mover)
        except GameFunctionError:
            raise  # the game's fault, not the player's
        except (Exception, SystemExit) as error:
            if isinstance(error, SystemExit) and getattr(error, "__notes__", []):  # of a function of the game
                raise GameFunctionError(error.__notes__[0]) from error
            return End(Ending.EXCEPTION, self._detail(mover, *_raised(error)), mover)
        text = self.state.text(action)
        self.state = self.state.play(action)
        step = ReplayStep(action=text, player=mover, outcomes=self.state.outcomes, note=note)
        self.steps.append(step)
        self.history.append(text)
        if self.observer is not None:
            self.observer(self.state, step)
        return None

    def _named(self, action: int) -> str:
        """Describe an action code, which may be any number, for a message."""
        try:
            return repr(self.state.text(action))
        except Exception:
            return f"action code {action}"

    def _detail(self, seat: int, what: str, place: str = "") -> str:
        """Make a detail that is the same in every run: without memory addresses, and of bounded length."""
        text, longest = _ADDRESS.sub("", f"{self.table[seat].name} (seat {seat + 1}): {what}"), _LONGEST_DETAIL
        return (text if len(text) <= longest else text[: longest - 3] + "...") + place


def _raised(error: BaseException) -> tuple[str, str]:
    """What a player raised, and where in the user's code."""
    return f"{type(error).__name__}: {error}", failing_line(error, named=True)


def ended(state: State) -> End:
    """The ending of a game that its rules have ended."""
    returns = state.returns
    word = state.game.ending_text(state.row)
    if len(returns) == 1 or returns.count(max(returns)) == 1:
        return End(Ending.WON, word)
    if min(returns) < max(returns):
        return End(Ending.SHARED, word)
    return End(Ending.DRAWN_BY_LIMIT if word == TURN_LIMIT else Ending.DRAWN_BY_RULE, word)


def contradiction(record: GameRecord, end: State) -> str:
    """How a record contradicts the last state of its own replay; empty if they agree.

    Only the record knows who forfeited, so after a forfeit or a stop by the arena only results are compared.

    Args:
        record: A finished game.
        end: The state after the last step of its replay.
    """
    if record.ending is Ending.ABANDONED:
        return ""
    returns = end.returns
    stored = [seat.result for seat in record.seats]
    own = [returns[seat.seat] for seat in record.seats]
    if stored != own:
        return f"the stored result is {_listed(stored)}, its actions lead to {_listed(own)}"
    if record.replay.returns and tuple(record.replay.returns) != tuple(returns):
        return f"the replay's result is {_listed(record.replay.returns)}, its actions lead to {_listed(returns)}"
    if record.replay.result == Ending.WON and not end.is_over and len(stored) == 1:
        return f"the replay's result is {record.replay.result!r}, but its actions do not lead to the end of the game"
    if record.ending in FORFEITS or (record.ending is Ending.DRAWN_BY_LIMIT and not end.is_over):
        return ""
    if not end.is_over:
        return f"it is stored as {record.ending}, but its actions do not lead to the end of the game"
    known = ended(end)
    scores, ranks = award(returns, known)
    was_drawn = known.ending is Ending.SHARED and record.ending in (Ending.DRAWN_BY_RULE, Ending.DRAWN_BY_LIMIT)
    if record.ending is not known.ending and not was_drawn:  # shared wins had no name of their own in earlier results
        return f"it is stored as {record.ending}, its actions lead to {known.ending}"
    if any((seat.rank, seat.score) != (ranks[seat.seat], scores[seat.seat]) for seat in record.seats):
        listed = ", ".join(f"{seat.player} {scores[seat.seat]:g}" for seat in record.seats)
        return f"the stored scores are not those that its actions lead to ({listed})"
    return ""


def _listed(results: Iterable[float]) -> str:
    return ", ".join(f"{result:.6g}" for result in results)


def award(returns: Sequence[float], end: End) -> tuple[list[float], list[int]]:
    """Scores and ranks by seat.

    The best players share one point equally. After a forfeit all other players share it. A game stopped by the arena's
    own limit is shared by all, since the returns of an unfinished game mean nothing.
    """
    if end.fault is not None:
        merits = [0.0 if seat == end.fault else 1.0 for seat in range(len(returns))]
        if len(merits) == 1:
            return [0.0], [1]
    elif end.stopped:
        merits = [0.0] * len(returns)
    else:
        merits = list(returns)
    ranks = [1 + sum(other > merit for other in merits) for merit in merits]
    return [1 / ranks.count(1) if rank == 1 else 0.0 for rank in ranks], ranks
