"""A game on the server: its seats, its course, the planners that think, and what each page may see of it."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from turnwise.arena.game_in_progress import GameInProgress
from turnwise.arena.match import ended
from turnwise.arena.player import Player
from turnwise.core.chance import derive_seed
from turnwise.core.errors import IllegalActionError, OptionError, TurnwiseError
from turnwise.core.game import Game
from turnwise.core.state import State, envelope
from turnwise.registry import planner
from turnwise.replay import Note, Replay
from turnwise.search.inspection.live import LiveSearch
from turnwise.viewer.limits import LONGEST_SECONDS, MOST_STEPS, checked_budget
from turnwise.viewer.seats import Seat
from turnwise.viewer.thinking import Thinkers, ends_in_time

EVERYTHING = -1
"""Eyes that see the true state."""


class SavedRoom(BaseModel):
    """A game on the server as it is kept on the disk."""

    model_config = ConfigDict(extra="forbid")

    room: str = Field(max_length=64)
    seats: tuple[Seat, ...]
    seed: int
    replay: Replay
    came_from: str = ""


class GameRoom:
    """A game that is played.

    Attributes:
        name: Its name in addresses.
        version: Rises with every change, so that pages know when to look again.
        is_record: Whether the game was played elsewhere, and is only to be looked at.
        trouble: Why a planner or the game cannot go on; empty: nothing is wrong.
    """

    def __init__(
        self,
        name: str,
        course: GameInProgress,
        seats: Sequence[Seat],
        seed: int,
        thinkers: Thinkers,
        *,
        came_from: str = "",
        is_record: bool = False,
        keep: Callable[[SavedRoom], None] = lambda saved: None,
    ) -> None:
        """Seat the players; nobody moves yet.

        Args:
            name: Its name in addresses.
            course: The game so far.
            seats: One per player.
            seed: Seed of the planners.
            thinkers: Threads for searches.
            came_from: Name of the room and step from which this game branched off.
            is_record: Whether the game was played elsewhere, and is only to be looked at.
            keep: Writes the game to the disk; called after every change.
        """
        self.name, self.seats, self.came_from, self.trouble = name, tuple(seats), came_from, ""
        self.version, self.is_record = 0, is_record
        self._course, self._seed, self._thinkers, self._keep = course, seed, thinkers, keep
        self._lock = threading.RLock()
        self._era = 0  # rises when actions are taken back: what was thought before then is void
        self._players: dict[int, Player] = {}
        self._is_thinking = False
        self._live: LiveSearch | None = None

    # ---------------------------------------------------------------------------------------------- who may do what

    @property
    def game(self) -> Game:
        """The scenario."""
        return self._course.now.game

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
        people = [number for number, seat in enumerate(self.seats) if seat.is_person]
        if not self.game.hides_information or not people or self._course.now.is_over or self.is_record:
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
        if not 0 <= number <= len(self._course.steps):
            raise OptionError(f"There are {len(self._course.steps)} steps; got {number}.")

    def _check_sight(self, secret: str, what: str) -> None:
        """Refuse what would show hidden information.

        Raises:
            OptionError: The page does not see everything.
        """
        if self.eyes_of(secret) != EVERYTHING:
            raise OptionError(f"{what} shows what the other players hide. It is there when the game is over.")

    # ------------------------------------------------------------------------------------------------------ to look

    def summary(self, secret: str) -> dict[str, Any]:
        """What a page shows next to the board: players, progress, legal actions of its seat."""
        with self._lock:
            now, own = self._course.now, self.seats_of(secret)
            mover, eyes = now.to_move, self.eyes_of(secret)
            may_move = mover in own and not self.trouble
            return {
                "room": self.name,
                "game": self.game.spec,
                "title": self.game.title,
                "seats": [self._seat_facts(number, own) for number in range(len(self.seats))],
                "steps": len(self._course.steps),
                "mover": mover,
                "turn": now.turn,
                "is_over": now.is_over,
                "result": self._result(),
                "may_look": eyes is not None,
                "sees_all": eyes == EVERYTHING,
                "legal": self._legal() if may_move else [],
                "may_undo": self._may_undo(own),
                "may_take_back": self._take_back_to(own) is not None,
                "thinking": mover if self._is_thinking else -1,
                "trouble": self.trouble,
                "came_from": self.came_from,
                "is_record": self.is_record,
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
        text = "" if step is None else self._seen_text(states[0], step.action, step.player, eyes)
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
                "action": self._seen_text(states[number], steps[number].action, steps[number].player, eyes),
                "player": steps[number].player,
                "value": self._value(states[number + 1], eyes),
            }
            for number in range(max(0, first), len(steps))
        ]

    def _checked_eyes(self, secret: str) -> int:
        """See :meth:`eyes_of`.

        Raises:
            OptionError: All is hidden from the page.
        """
        eyes = self.eyes_of(secret)
        if eyes is None:
            raise OptionError("Something is hidden in this game, so only its players can look before it is over.")
        return eyes

    def live_facts(self, secret: str) -> dict[str, Any] | None:
        """What the planner that thinks sees at the moment; None: none thinks, or the page may not know."""
        live = self._live
        if live is None or self.eyes_of(secret) != EVERYTHING:
            return None
        return snapshot_facts(live)

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
            return state.view(state.to_move).with_chance(derive_seed(self._seed, "analysis", number))

    # ------------------------------------------------------------------------------------------------------ to play

    def play(self, action: str, secret: str, at: int) -> None:
        """Play an action of a person.

        Args:
            action: Its text.
            secret: What the page knows.
            at: Number of steps that the page has seen, so that no click counts for a later position.

        Raises:
            OptionError: It is not this person's turn, or the page is not up to date.
            IllegalActionError: The rules do not accept it.
            NotationError: It is no action.
        """
        with self._lock:
            mover = self._course.now.to_move
            if mover not in self.seats_of(secret):
                raise OptionError("It is not your turn.")
            if at != len(self._course.steps):
                raise OptionError("The game has gone on meanwhile; look at the board again.")
            if len(self._course.steps) >= MOST_STEPS:
                raise OptionError(f"A game here has at most {MOST_STEPS:,} steps.")
            self._course.play(action)
            self._changed()
            self.advance()

    def undo(self, secret: str) -> None:
        """Take back the last action of the turn in progress.

        Raises:
            OptionError: There is none, or it may have revealed something.
        """
        with self._lock:
            if not self._may_undo(self.seats_of(secret)):
                raise OptionError("No action of your turn can be taken back here.")
            self._rewind(len(self._course.steps) - 1)

    def take_back(self, secret: str) -> None:
        """Go back to the beginning of the person's last turn.

        Raises:
            OptionError: There is none, or another person plays.
        """
        with self._lock:
            number = self._take_back_to(self.seats_of(secret))
            if number is None:
                raise OptionError("No turn of yours can be taken back here.")
            self._rewind(number)

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
            return GameInProgress.replayed(part, derive_seed(self._seed, "branch", number, secrets.randbits(32)))

    def advance(self) -> None:
        """Let the planner whose turn it is think; it plays when it has decided."""
        with self._lock:
            mover = self._course.now.to_move
            if mover < 0 or self.seats[mover].is_person or self._is_thinking or self.trouble or self.is_record:
                return
            if len(self._course.steps) >= MOST_STEPS:
                return self._stop(f"A game here has at most {MOST_STEPS:,} steps.")
            self._is_thinking, era, state = True, self._era, self._course.now
            live = self._live = LiveSearch()
            try:
                self._thinkers.submit(lambda: self._think(mover, era, state, live))
            except TurnwiseError as error:
                self._is_thinking = False
                self._stop(str(error))
            self.version += 1

    def resume(self) -> None:
        """Go on after a server was busy, or a planner or a game failed."""
        with self._lock:
            self.trouble = ""
            self._players.clear()
            self.advance()

    def close(self) -> None:
        """Let nothing that is still being thought about count."""
        with self._lock:
            self._end_search()
            self._keep = lambda saved: None
            self._stop("This game was deleted.")

    # ------------------------------------------------------------------------------------------------------- inside

    def _think(self, mover: int, era: int, state: State, live: LiveSearch) -> None:
        """Decide in a thread of the server, then play, unless actions have been taken back meanwhile."""
        failure, action, note = "", 0, None
        try:
            with ends_in_time(live):
                action, note = self._player(mover, era).decide(state)
            if not state.is_legal(action):
                raise IllegalActionError(f"it played {state.text(action)}, which is not legal")
        except KeyboardInterrupt:  # the search was interrupted: too long, or not needed any more
            failure = f"{self.seats[mover].player} was stopped: a search here takes at most {LONGEST_SECONDS:g} s."
        except (Exception, SystemExit) as error:  # planners and games of users can fail in any way
            failure = f"{self.seats[mover].player} cannot go on: {type(error).__name__}: {error}"
        with self._lock:
            self._is_thinking, self._live = False, None
            if era == self._era and failure:
                self._stop(failure)
            elif era == self._era:
                self._course.play(action, note)
                self._changed()
            self.advance()

    def _player(self, seat: int, era: int) -> Player:
        with self._lock:
            if seat not in self._players:
                mind, limits = planner(self.seats[seat].player), checked_budget(self.seats[seat].budget)
                seed = derive_seed(self._seed, "player", seat, era, len(self._course.steps))
                self._players[seat] = Player(mind, self._names()[seat], self.game, seat, limits, seed)
            return self._players[seat]

    def _stop(self, trouble: str) -> None:
        self.trouble = trouble
        self.version += 1

    def _changed(self) -> None:
        self.version += 1
        try:
            self._keep(self.saved())
        except OSError as error:
            self.trouble = f"This game cannot be saved any more ({error.strerror}), so it stops here."

    def saved(self) -> SavedRoom:
        """The room as it is kept."""
        replay = self._course.replay(self._names())
        return SavedRoom(room=self.name, seats=self.seats, seed=self._seed, replay=replay, came_from=self.came_from)

    def _rewind(self, number: int) -> None:
        self._course.rewind(number)
        self._end_search()
        self._players.clear()
        self.trouble = ""
        self._changed()
        self.advance()

    def _end_search(self) -> None:
        """Let what is being thought not count, and end soon."""
        self._era += 1
        if self._live is not None:
            self._live.interrupt()

    def _may_undo(self, own: Sequence[int]) -> bool:
        """Only within the turn in progress, and only what has revealed nothing."""
        steps, now = self._course.steps, self._course.now
        if not steps or self._course.is_turn_complete or now.to_move not in own:
            return False
        return not self.game.reveals_in_turn and not steps[-1].outcomes

    def _take_back_to(self, own: Sequence[int]) -> int | None:
        """Number of steps before the last turn of a single person."""
        people = [number for number, seat in enumerate(self.seats) if seat.is_person]
        if not own or tuple(people) != tuple(own):
            return None
        players = [step.player for step in self._course.steps]
        while players and players[-1] not in own:
            players.pop()
        last = len(players)
        if not last:
            return None
        states = self._course.states
        turn = (states[last - 1].to_move, states[last - 1].turn)
        while last and (states[last - 1].to_move, states[last - 1].turn) == turn:
            last -= 1
        return last

    def _legal(self) -> list[dict[str, Any]]:
        now = self._course.now
        return [
            {
                "action": now.text(code),
                "path": list(self.game.click_path(now.row, code)),
                "heading": self.game.action_heading(now.row, code),
            }
            for code in map(int, now.legal_codes())
        ]

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
            "is_person": seat.is_person,
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
            return float(seen(state, eyes).evaluate(max(eyes, 0), root=first))
        except TurnwiseError:
            return None

    def _seen_text(self, before: State, action: str, player: int, eyes: int) -> str:
        """An action as a page may know it."""
        if eyes in (EVERYTHING, player) or self.game.is_seen(before.row, before.code(action), eyes):
            return action
        return "acts unseen"


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
