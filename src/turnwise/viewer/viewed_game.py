"""What each page may see of a game: through whose eyes it looks, and what these see."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.arena.game_in_progress import GameInProgress
from turnwise.arena.match import ended
from turnwise.core import returned
from turnwise.core.errors import OptionError, TurnwiseError, counted
from turnwise.core.finite import finite
from turnwise.core.game import Game
from turnwise.core.state import State, envelope
from turnwise.replay import Note, Replay, ReplayStep
from turnwise.search.inspection.live import LiveSearch
from turnwise.viewer.seats import Seat

EVERYTHING = -1
"""Eyes that see the true state."""


class ViewedGame:
    """A game that was played elsewhere, to be looked at; games that are played here derive from it.

    Attributes:
        name: Its name in addresses.
        seats: One per player.
        version: Rises with every change, so that pages know when to look again.
        edition: Changes when steps are taken back: what pages know of earlier steps may be wrong then.
        trouble: Why the game cannot go on; empty: nothing is wrong.
        is_record: Whether nobody can play it here.
        came_from: Name of the room and step from which this game branched off.
    """

    is_record = True

    def __init__(self, name: str, course: GameInProgress, seats: Sequence[Seat], *, came_from: str = "") -> None:
        """Look at a game.

        Args:
            name: Its name in addresses.
            course: The game so far.
            seats: One per player.
            came_from: Name of the room and step from which this game branched off.
        """
        self.name, self.seats, self.came_from = name, tuple(seats), came_from
        self.version, self.trouble, self.edition = 0, "", new_edition()
        self._course = course
        self._lock = threading.RLock()

    # ---------------------------------------------------------------------------------------------- who may see what

    @property
    def game(self) -> Game:
        """The scenario."""
        return self._course.now.game

    @property
    def people(self) -> tuple[int, ...]:
        """Seats from which a person plays here; what they hide from each other stays hidden until the game is over."""
        return ()

    @property
    def goes_on(self) -> bool:
        """Whether further steps can come."""
        return False

    def seats_of(self, secret: str) -> tuple[int, ...]:
        """The seats of people that a secret opens; several where one page plays for several people."""
        given = [each.encode() for each in secret.split(".") if each]
        return tuple(
            number
            for number, seat in enumerate(self.seats)
            if seat.secret and any(secrets.compare_digest(seat.secret.encode(), each) for each in given)
        )

    def eyes_of(self, secret: str) -> int | None:
        """Through whose eyes a page sees: a seat, ``EVERYTHING``, or None where all is hidden from it.

        A page that plays several seats sees as the one who moves, or moved last.
        """
        if not self.game.pointers["view"] or not self.people or self._course.now.is_over:
            return EVERYTHING
        own = self.seats_of(secret)
        if len(own) <= 1:
            return own[0] if own else None
        last = self._course.steps[-1].player if self._course.steps else own[0]
        mover = self._course.now.to_move
        return mover if mover in own else last if last in own else own[0]

    def _check_step(self, number: int) -> None:
        """Refuse the number of a step that was not played.

        Raises:
            OptionError: There are not so many steps.
        """
        steps = len(self._course.steps)
        if not 0 <= number <= steps:
            raise OptionError(f"This game has {counted(steps, 'step')} so far; got {number}.")

    def _check_sight(self, secret: str, what: str) -> None:
        """Refuse what would show hidden information.

        Raises:
            OptionError: The page does not see everything.
        """
        if self.eyes_of(secret) != EVERYTHING:
            raise OptionError(f"{what} shows what the other players hide. It is there when the game is over.")

    def _checked_eyes(self, secret: str) -> int:
        """See :meth:`eyes_of`.

        Raises:
            OptionError: All is hidden from the page.
        """
        eyes = self.eyes_of(secret)
        if eyes is None:
            raise OptionError("Something is hidden in this game, so only its players can look before it is over.")
        return eyes

    # ------------------------------------------------------------------------------------------------------ to look

    def summary(self, secret: str) -> dict[str, Any]:
        """What a page shows next to the board: players, progress, legal actions of its seat."""
        with self._lock:
            now, eyes, own = self._course.now, self.eyes_of(secret), self.seats_of(secret)
            return {
                "room": self.name,
                "game": self.game.spec,
                "title": self.game.title,
                "seats": [self._seat_facts(number, own) for number in range(len(self.seats))],
                "steps": len(self._course.steps),
                "edition": self.edition,
                "start_value": None if eyes is None else self._value(self._course.states[0], eyes),
                "mover": now.to_move,
                "turn": now.turn,
                "is_over": now.is_over,
                "result": self._result(),
                "may_look": eyes is not None,
                "sees_all": eyes == EVERYTHING,
                "legal": [],
                "may_undo": False,
                "may_take_back": False,
                "thinking": -1,
                "trouble": self.trouble,
                "came_from": self.came_from,
                "is_record": self.is_record,
                "goes_on": self.goes_on,
            }

    def frame(self, number: int, secret: str) -> dict[str, Any]:
        """The picture after a number of steps, as a page may see it, and the step that led there.

        Raises:
            OptionError: There is no such step, or the page may not look.
        """
        with self._lock:
            eyes = self._checked_eyes(secret)
            self._check_step(number)
            states = self._course.states[max(0, number - 1) : number + 1]
            step = self._course.steps[number - 1] if number else None
        rows = [seen(state, eyes).row for state in states]
        text = "" if step is None else self._seen_text(states[0], step, states[1], eyes)
        last = step.action if step is not None and text == step.action else None
        is_note_seen = step is not None and step.note is not None and eyes in (EVERYTHING, step.player)
        areas = self.game.click_areas(rows[-1])
        return {
            "number": number,
            "svg": self.game.svg_of(rows, last),
            "action": text,
            "player": -1 if step is None else step.player,
            "mover": states[-1].to_move,
            "turn": states[-1].turn,
            "note": _note_facts(step.note) if step is not None and step.note is not None and is_note_seen else None,
            "areas": {name: [list(area) for area in places] for name, places in areas.items()},
            "value": self._value(states[-1], eyes),
        }

    def rules(self) -> dict[str, str]:
        """The game's short rules with the form of its actions; empty: not written."""
        return {"rules": returned.text(self.game, "rules_text")}

    def course(self, first: int, secret: str) -> list[dict[str, Any]]:
        """The steps from a number on as a page may know them, with the value of the game after each.

        Raises:
            OptionError: The page may not look.
        """
        with self._lock:
            eyes = self._checked_eyes(secret)
            states, steps = list(self._course.states), list(self._course.steps)
        return [
            {
                "action": self._seen_text(states[number], steps[number], states[number + 1], eyes),
                "player": steps[number].player,
                "value": self._value(states[number + 1], eyes),
            }
            for number in range(max(0, first), len(steps))
        ]

    def live_facts(self, secret: str) -> dict[str, Any] | None:
        """What the planner that thinks sees at the moment; None: none thinks here, or the page may not know."""
        return None

    def replay(self, secret: str) -> Replay:
        """The game so far, with everything that is hidden.

        Raises:
            OptionError: The page does not see everything.
        """
        with self._lock:
            self._check_sight(secret, "A replay")
            return self._course.replay(self._names(), self._result() if self._course.now.is_over else "")

    def position(self, number: int, secret: str) -> dict[str, Any]:
        """A state as :meth:`State.to_json` writes it.

        Raises:
            OptionError: There is no such step, or the page does not see everything.
        """
        with self._lock:
            self._check_sight(secret, "A position")
            self._check_step(number)
            state = self._course.states[number]
            return envelope(self.game, state.to_dict())

    def known(self, number: int, secret: str) -> State:
        """What the player to move knows after a number of steps, for an analysis.

        Raises:
            OptionError: The page may not know it, or the game is over there.
        """
        with self._lock:
            self._check_step(number)
            state = self._course.states[number]
            if state.is_over:
                raise OptionError("The game is over there, so there is nothing to plan.")
            if self.eyes_of(secret) not in (EVERYTHING, state.to_move):
                raise OptionError("Another player moves there, whose knowledge is hidden from you.")
            return state.view(state.to_move).with_chance(secrets.randbits(62))

    def branch(self, number: int, secret: str) -> GameInProgress:
        """A copy of the game's first steps, to be played on in another room.

        Raises:
            OptionError: There are not so many steps, or the page does not see everything.
        """
        with self._lock:
            self._check_sight(secret, "A branch")
            self._check_step(number)
            replay = self._course.replay()
            part = replay.model_copy(update={"steps": replay.steps[:number]})
            return GameInProgress.replayed(part, secrets.randbits(62))

    # ------------------------------------------------------------------------------------------------- to go along

    def look(self) -> None:
        """Look for further steps where the game is played elsewhere; called while pages follow it."""

    def close(self) -> None:
        """End whatever goes on for this game; no page looks at it any more."""

    # ------------------------------------------------------------------------------------------------------- inside

    def _names(self) -> tuple[str, ...]:
        """Names by seat, numbered where they are equal."""
        names = [seat.player for seat in self.seats]
        return tuple(
            f"{name} #{names[: number + 1].count(name)}" if names.count(name) > 1 else name
            for number, name in enumerate(names)
        )

    def _seat_facts(self, number: int, own: Sequence[int]) -> dict[str, Any]:
        seat = self.seats[number]
        return {
            "name": self._names()[number],
            "label": self.game.seat_name(number),
            "is_person": number in self.people,
            "is_you": number in own,
            "budget": seat.budget,
        }

    def _result(self) -> str:
        """How the game ended, in words; empty: it has not."""
        now = self._course.now
        if not now.is_over:
            return ""
        end = ended(now)
        returns = now.returns
        if len(returns) == 1:
            return f"{end.ending}, result {returns[0]:g}"
        best = [self._names()[seat] for seat, value in enumerate(returns) if value == max(returns)]
        if len(best) == len(returns):
            return f"{end.ending} ({end.detail})" if end.detail else str(end.ending)
        return f"{' and '.join(best)} won" + (f" ({end.detail})" if end.detail else "")

    def _value(self, state: State, eyes: int) -> float | None:
        """The default evaluation for the first player, or for the seat that looks; None: the game has none."""
        if not self.game.evaluations():
            return None
        try:
            first = seen(self._course.states[0], eyes)  # some evaluations compare with the beginning
            return finite(seen(state, eyes).evaluate(max(eyes, 0), root=first))
        except TurnwiseError:
            return None

    def _seen_text(self, before: State, step: ReplayStep, after: State, eyes: int) -> str:
        """An action as a page may know it."""
        if eyes in (EVERYTHING, step.player) or before.code(step.action) == self.game.end_action:
            return step.action
        known = self.game.seen_text(step.action, seen(before, eyes).row, seen(after, eyes).row)
        return known or "acts unseen"


def new_edition() -> str:
    """A name that no other edition of a game has had."""
    return secrets.token_hex(6)


def record_of(name: str, course: GameInProgress, players: Sequence[str]) -> ViewedGame:
    """A game that was played elsewhere.

    Args:
        name: Its name in addresses.
        course: The game.
        players: Names by seat; none: they are not known.
    """
    return ViewedGame(name, course, seats_for(course, players))


def seats_for(course: GameInProgress, players: Sequence[str]) -> list[Seat]:
    """Seats with the names of a recorded game."""
    return [
        Seat(player=players[number] if players else f"player {number + 1}") for number in range(course.now.game.players)
    ]


def seen(state: State, eyes: int) -> State:
    """The state as somebody sees it."""
    return state if eyes == EVERYTHING else state.view(eyes)


def snapshot_facts(live: LiveSearch) -> dict[str, Any] | None:
    """What a search sees at the moment, as data for pages."""
    found = live.snapshot()
    if found is None:
        return None
    return {
        "lines": [{"actions": list(line.actions), "value": line.value} for line in found.lines],
        "value": found.value,
        "seconds": found.seconds,
        "iterations": found.iterations,
        "evaluations": found.evaluations,
        "forward_calls": found.forward_calls,
        "iterations_per_second": found.iterations_per_second,
        "share": found.share,
        "world": found.world,
        "worlds": found.worlds,
        "has_ended": found.has_ended,
    }


def _note_facts(note: Note) -> Mapping[str, Any]:
    return {
        "plan": list(note.plan),
        "value": note.value,
        "seconds": note.seconds,
        "iterations": note.iterations,
        "forward_calls": note.forward_calls,
        "alternatives": [{"actions": list(actions), "value": value} for actions, value in note.alternatives],
    }
