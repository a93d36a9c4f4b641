"""A game that is played on the server: how it goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from turnwise.arena.game_in_progress import GameInProgress
from turnwise.arena.player import Player
from turnwise.core.chance import derive_seed
from turnwise.core.errors import IllegalActionError, NotationError, OptionError, TurnwiseError
from turnwise.core.state import State
from turnwise.replay import Note, Replay
from turnwise.search.inspection.live import LiveSearch
from turnwise.viewer.limits import LONGEST_SECONDS, MOST_STEPS, checked_budget
from turnwise.viewer.players import Players
from turnwise.viewer.seats import Seat
from turnwise.viewer.thinking import Thinkers
from turnwise.viewer.viewed_game import EVERYTHING, ViewedGame, new_edition, snapshot_facts

_MOST_CLOSE = 4
_LONGEST_COMPARED = 80  # characters of what was typed


class SavedRoom(BaseModel):
    """A game on the server as it is kept on the disk."""

    model_config = ConfigDict(extra="forbid")

    room: str = Field(max_length=64)
    seats: tuple[Seat, ...]
    seed: int
    replay: Replay
    came_from: str = ""
    began: float = 0.0
    edition: str = Field(default="", max_length=64)


class GameRoom(ViewedGame):
    """A game that is played here, by people and planners.

    Attributes:
        began: When it began, in seconds of the system's clock; 0: unknown.
        changed: When it last changed.
    """

    is_record = False

    def __init__(
        self,
        name: str,
        course: GameInProgress,
        seats: Sequence[Seat],
        seed: int,
        players: Players,
        thinkers: Thinkers,
        *,
        came_from: str = "",
        keep: Callable[[SavedRoom], None] = lambda saved: None,
        began: float | None = None,
        changed: float | None = None,
        edition: str = "",
    ) -> None:
        """Seat the players; nobody moves yet.

        Args:
            name: Its name in addresses.
            course: The game so far.
            seats: One per player.
            seed: Seed of the planners.
            players: The planners that seats may have.
            thinkers: Threads for searches.
            came_from: Name of the room and step from which this game branched off.
            keep: Writes the game to the disk; called after every change.
            began: When it began; default: now.
            changed: When it last changed; default: now.
            edition: See :class:`ViewedGame`; empty: a new one.
        """
        super().__init__(name, course, seats, came_from=came_from)
        self.edition = edition or self.edition
        self._seed, self._known, self._thinkers, self._keep = seed, players, thinkers, keep
        self.began = time.time() if began is None else began
        self.changed = time.time() if changed is None else changed
        self._era = 0  # rises when actions are taken back: what was thought before then is void
        self._players: dict[int, Player] = {}
        self._is_thinking = False
        self._live: LiveSearch | None = None

    @property
    def people(self) -> tuple[int, ...]:
        """See :attr:`ViewedGame.people`."""
        return tuple(number for number, seat in enumerate(self.seats) if seat.is_person)

    @property
    def goes_on(self) -> bool:
        """See :attr:`ViewedGame.goes_on`."""
        return not self._course.now.is_over

    def summary(self, secret: str) -> dict[str, Any]:
        """See :meth:`ViewedGame.summary`."""
        with self._lock:
            own, mover = self.seats_of(secret), self._course.now.to_move
            try:
                legal, trouble = self._legal() if mover in own and not self.trouble else [], self.trouble
            except TurnwiseError as error:  # a game of the user's failed; the page goes on following
                legal, trouble = [], f"The game cannot go on: {error}"
            return super().summary(secret) | {
                "legal": legal,
                "trouble": trouble,
                "may_undo": self._may_undo(own),
                "may_take_back": self._take_back_to(own) is not None,
                "thinking": mover if self._is_thinking else -1,
                "began": self.began,
                "changed": self.changed,
            }

    def live_facts(self, secret: str) -> dict[str, Any] | None:
        """See :meth:`ViewedGame.live_facts`."""
        live = self._live
        if live is None or self.eyes_of(secret) != EVERYTHING:
            return None
        return snapshot_facts(live)

    # ------------------------------------------------------------------------------------------------------ to play

    def play(self, action: str, secret: str, at: int) -> None:
        """Play an action of a person.

        Args:
            action: Its text.
            secret: What the page knows.
            at: Number of steps that the page has seen, so that no click counts for a later position.

        Raises:
            OptionError: It is not this person's turn, or the page is not up to date.
            IllegalActionError: The rules do not accept it, or it is no action; the message names similar legal ones.
        """
        with self._lock:
            mover = self._course.now.to_move
            if mover not in self.seats_of(secret):
                raise OptionError("It is not your turn.")
            if at != len(self._course.steps):
                raise OptionError("The game has gone on meanwhile; look at the board again.")
            if len(self._course.steps) >= MOST_STEPS:
                raise OptionError(f"A game here has at most {MOST_STEPS:,} steps.")
            try:
                self._course.play(action)
            except (IllegalActionError, NotationError) as error:
                raise IllegalActionError(f"{error}{self._close_to(action)}") from None
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

    def advance(self) -> None:
        """Let the planner whose turn it is think; it plays when it has decided."""
        with self._lock:
            mover = self._course.now.to_move
            if mover < 0 or self.seats[mover].is_person or self._is_thinking or self.trouble:
                return
            if len(self._course.steps) >= MOST_STEPS:
                return self._stop(f"A game here has at most {MOST_STEPS:,} steps.")
            self._is_thinking, era, state = True, self._era, self._course.now
            live = self._live = LiveSearch()
            try:
                self._thinkers.submit(lambda: self._think(mover, era, state), live)
            except TurnwiseError as error:
                self._is_thinking = False
                self._stop(str(error))
            self.version += 1

    def resume(self) -> None:
        """Go on after a server was busy, or a planner or a game failed."""
        with self._lock:
            self.trouble = ""
            self.advance()

    def close(self) -> None:
        """See :meth:`ViewedGame.close`: nothing that is still being thought about counts."""
        with self._lock:
            self._end_search()
            self._keep = lambda saved: None
            self._stop("This game was deleted.")

    def release_players(self) -> None:
        """Let go of the planners, and with them of the processes of engines; whoever goes on begins with new ones."""
        with self._lock:
            self._players.clear()

    # ------------------------------------------------------------------------------------------------------- inside

    def _think(self, mover: int, era: int, state: State) -> None:
        """Decide in a thread of the server, then play, unless actions have been taken back meanwhile."""
        if era == self._era:  # it may have waited for its thread until nobody needs it any more
            failure, action, note = self._decision(mover, era, state)
        else:
            failure, action, note = "", 0, None
        with self._lock:
            self._is_thinking, self._live = False, None
            if era == self._era:
                failure = failure or self._played(action, note)
                if failure:
                    self._stop(failure)
            self.advance()

    def _decision(self, mover: int, era: int, state: State) -> tuple[str, int, Note | None]:
        """What failed (empty: nothing), and the planner's action with its note."""
        name = self.seats[mover].player
        try:
            action, note = self._player(mover, era).decide(state)
            if not state.is_legal(action):
                raise IllegalActionError(f"it played {state.text(action)}, which is not legal")
        except KeyboardInterrupt:  # the search was interrupted: too long, or not needed any more
            return f"{name} was stopped: a search here takes at most {LONGEST_SECONDS:g} s.", 0, None
        except (Exception, SystemExit) as error:  # planners and games of users can fail in any way
            return f"{name} cannot go on: {type(error).__name__}: {error}", 0, None
        return "", action, note

    def _played(self, action: int, note: Note | None) -> str:
        """Play a planner's action; returns what failed; empty: nothing."""
        try:
            self._course.play(action, note)
        except Exception as error:  # games of users can fail in any way
            return f"The game cannot go on: {type(error).__name__}: {error}"
        self._changed()
        return ""

    def _player(self, seat: int, era: int) -> Player:
        with self._lock:
            if seat not in self._players:
                mind, limits = self._known.planner(self.seats[seat].player), checked_budget(self.seats[seat].budget)
                seed = derive_seed(self._seed, "player", seat, era, len(self._course.steps))
                self._players[seat] = Player(mind, self._names()[seat], self.game, seat, limits, seed)
            return self._players[seat]

    def _stop(self, trouble: str) -> None:
        self.trouble = trouble
        self.release_players()
        self.version += 1

    def _changed(self) -> None:
        self.version += 1
        self.changed = time.time()
        if not self.goes_on:
            self.release_players()
        try:
            self._keep(self.saved())
        except OSError as error:
            self._stop(f"This game cannot be saved any more ({error.strerror}), so it stops here.")

    def saved(self) -> SavedRoom:
        """The room as it is kept."""
        replay = self._course.replay(self._names())
        return SavedRoom(
            room=self.name,
            seats=self.seats,
            seed=self._seed,
            replay=replay,
            came_from=self.came_from,
            began=self.began,
            edition=self.edition,
        )

    def _rewind(self, number: int) -> None:
        self._course.rewind(number)
        self.edition = new_edition()
        self._end_search()
        self.release_players()
        self.trouble = ""
        self._changed()
        self.advance()

    def _end_search(self) -> None:
        """Let what is being thought not count, and end soon."""
        self._era += 1
        if self._live is not None:
            self._live.interrupt(or_next=True)

    def _may_undo(self, own: Sequence[int]) -> bool:
        """Only within the turn in progress, and only what has revealed nothing."""
        steps, now = self._course.steps, self._course.now
        if not steps or self._course.is_turn_complete or now.to_move not in own:
            return False
        return not self.game.reveals_in_turn and not steps[-1].outcomes

    def _take_back_to(self, own: Sequence[int]) -> int | None:
        """Number of steps before the last turn of a single person."""
        if not own or self.people != tuple(own):
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

    def _close_to(self, typed: str) -> str:
        """The legal actions that look like what was typed, for a message; empty: none does."""
        legal = {text.casefold(): text for text in self._course.now.legal_actions()}
        close = get_close_matches(typed[:_LONGEST_COMPARED].casefold(), legal, _MOST_CLOSE)
        return f" Similar legal actions: {', '.join(legal[one] for one in close)}." if close else ""

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
