"""What the server does for its pages: games, searches, and the results that are watched."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from turnwise.arena.game_in_progress import GameInProgress
from turnwise.arena.live_games import LiveFile
from turnwise.core.errors import OptionError, TurnwiseError, UnknownNameError
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.core.text_file import begins_like_json, json_of, read_text
from turnwise.registry import GAMES, make, split_text
from turnwise.replay import LARGEST_REPLAY, read_replay
from turnwise.viewer import catalogue
from turnwise.viewer.analysis import Analyses, Analysis
from turnwise.viewer.asked import AtStep, NewGame, WantedAnalysis, WantedScenario, WantedSeats
from turnwise.viewer.followed_game import FollowedGame
from turnwise.viewer.limits import MOST_STEPS, refuse_outside
from turnwise.viewer.live_watch import LiveWatch
from turnwise.viewer.players import Players
from turnwise.viewer.results import ResultsWatch
from turnwise.viewer.room import GameRoom
from turnwise.viewer.rooms import Rooms
from turnwise.viewer.seat_checks import SeatChecks
from turnwise.viewer.seats import NOT_YET, PERSON, Seat, WantedSeat, seat_problems, take_seats
from turnwise.viewer.streams import GameStreams
from turnwise.viewer.thinking import Thinkers
from turnwise.viewer.tuning_watch import TuningWatch
from turnwise.viewer.viewed_game import ViewedGame, record_of

_LISTED = ("room", "game", "title", "seats", "steps", "is_over", "result", "began", "changed")


class Viewer:
    """What the application's answers share.

    Attributes:
        players: The planners that pages may choose.
        rooms: The games.
        analyses: The searches that people asked for.
        results: The tournament or tuning that is watched; None: none is.
        first_page: Path of the page to open.
        streams: The pages that follow games.
    """

    def __init__(self, keep: Path | None, results: Path | None = None, engines: Sequence[str] = ()) -> None:
        """Open the folder of games.

        Args:
            keep: Folder of games; None: they end with the server.
            results: A results file to watch, or a replay to show.
            engines: Command lines of engines that pages may choose as players.

        Raises:
            OptionError: A command is empty.
            DamagedFileError: It is neither, or is damaged.
        """
        self.players = Players(engines)
        self.thinkers = Thinkers()
        self.checks = SeatChecks()
        self.rooms = Rooms(keep, self.players, self.thinkers)
        self.analyses = Analyses(self.thinkers)
        self.results: LiveWatch | TuningWatch | None = None
        self.first_page = "/"
        if results is not None and LiveWatch.fits(results):
            self.results, self.first_page = LiveWatch(results), "/results"
        elif results is not None and begins_like_json(results):
            replay = read_replay(read_text(results, LARGEST_REPLAY, "a replay"), str(results))
            room = self.rooms.show(record_of("replay", GameInProgress.replayed(replay, 0), replay.players))
            self.first_page = f"/room?room={room.name}"
        elif results is not None:
            self.results, self.first_page = watch_of(results), "/results"
        self.streams = GameStreams()
        self._following = threading.Lock()

    def list_games(self) -> dict[str, Any]:
        """All games on the server, without those that cannot be played here."""
        found = []
        for name in self.rooms.names():
            try:
                facts = self.rooms.get(name).summary("")
            except TurnwiseError as error:
                found.append({"room": name, "trouble": str(error)})
                continue
            found.append({key: facts[key] for key in _LISTED})
        return {"rooms": found}

    def catalogue(self) -> dict[str, Any]:
        """What the first page offers."""
        watches = self.results is not None
        return {"games": catalogue.games(), "planners": self.players.names(), "watches": watches}

    def scenario(self, asked: WantedScenario) -> dict[str, Any]:
        """The seats of a scenario, or of the one of a saved game or position."""
        game = _scenario(asked.game, asked.saved)
        seats = [game.seat_name(seat) for seat in range(game.players)]
        return {"game": game.name, "title": game.title, "seats": seats}

    def seat_problems(self, asked: WantedSeats) -> dict[str, Any]:
        """What is wrong with each seat of a game that is about to begin; empty: nothing."""
        problems = seat_problems(_scenario(asked.game, asked.saved), asked.seats, self.players, self.checks)
        return {"problems": problems, "is_checked": NOT_YET not in problems}

    def begin(self, asked: NewGame) -> dict[str, Any]:
        """A new game, and the secrets of its people's seats."""
        seed = asked.seed or secrets.randbits(62)
        if asked.replay:
            replay = read_replay(asked.replay, "The replay")
            refuse_outside(replay.game, replay.options)
            if len(replay.steps) > MOST_STEPS:
                raise OptionError(
                    f"A game here has at most {MOST_STEPS:,} steps; the replay has {len(replay.steps):,}."
                )
            course = GameInProgress.replayed(replay, seed)
        else:
            game = _scenario(asked.game, asked.state)
            course = GameInProgress(State.from_json(asked.state, game, seed) if asked.state else game.start(seed))
        seats = take_seats(course.now.game, asked.seats, self.players, self.checks)
        return _entry(self.rooms.add(course, seats, seed))

    def branch(self, room: ViewedGame, asked: AtStep) -> dict[str, Any]:
        """A copy of a game's first steps as a game of its own, with the same players.

        Raises:
            OptionError: The page may not see the whole game, there is no such step, or there are too many games.
        """
        course = room.branch(asked.at, asked.secret)
        wanted = [self._seated_again(seat) for seat in room.seats]
        seats = take_seats(course.now.game, wanted, self.players, self.checks)
        return _entry(self.rooms.add(course, seats, secrets.randbits(62), f"{room.name}/{asked.at}"))

    def analyse(self, room: ViewedGame, asked: WantedAnalysis) -> dict[str, Any]:
        """Begin a search; the answer names it.

        Raises:
            OptionError: There is no such step, or the planner or budget is invalid.
            UnknownNameError: There is no such planner.
            TurnwiseError: Too many other searches wait.
        """
        state, mind = room.known(asked.at, asked.secret), self.players.planner(asked.planner)
        return {"analysis": self.analyses.begin(Analysis(state, mind, asked.budget, secrets.randbits(62)))}

    def watched(self) -> LiveWatch | TuningWatch:
        """The results that are watched.

        Raises:
            UnknownNameError: None are.
        """
        if self.results is None:
            raise UnknownNameError(
                "No results are watched here. Start the server with them: turnwise serve RESULTS.sqlite"
            )
        return self.results

    def show(self, number: int) -> dict[str, Any]:
        """A game of the watched results as a room in which nobody plays."""
        watched = self._watched_games(number)
        if not isinstance(watched, ResultsWatch):
            raise UnknownNameError("The game that was found is shown when the server is started with its file again.")
        replay, players = watched.replay(number)
        room = self.rooms.show(record_of(f"game-{number}", GameInProgress.replayed(replay, 0), players))
        return {"room": room.name}

    def follow(self, number: int) -> dict[str, Any]:
        """A game of the watched tournament or search while it is played, as a room in which nobody plays here."""
        watched, name = self._watched_games(number), f"live-{number}"
        with self._following:  # of two pages that ask at the same time the second finds the room of the first
            room = self.rooms.shown(name)
            if room is None or not room.goes_on:
                room = self.rooms.show(_followed(name, watched.live(number)))
        return {"room": room.name}

    def _seated_again(self, seat: Seat) -> WantedSeat:
        """The same planner, or a person in place of a name that a tournament has given."""
        try:
            player = self.players.planner(seat.player).spec
        except TurnwiseError:
            player = PERSON
        return WantedSeat(player=player, budget=seat.budget or "time=1s")

    def _watched_games(self, number: int) -> LiveWatch:
        """The watched tournament or search, which may have a game of that number."""
        watched = self.watched()
        if number >= 2**31:
            raise UnknownNameError(f"There is no game {number:.3g} in these results.")
        if not isinstance(watched, LiveWatch):
            raise UnknownNameError("The results of a tuning hold no games.")
        return watched

    def close(self) -> None:
        """End searches and the engines of the games; every game is on the disk already."""
        self.checks.close()
        self.thinkers.close()
        self.rooms.close()


def watch_of(path: Path) -> LiveWatch | TuningWatch:
    """What watches a results file.

    Raises:
        DamagedFileError: It is no results file, or is damaged.
    """
    return TuningWatch(path) if TuningWatch.fits(path) else ResultsWatch(path)


def _followed(name: str, file: LiveFile) -> FollowedGame:
    """A game that is being played; its file is closed where it cannot be shown here."""
    try:
        return FollowedGame(name, file)
    except BaseException:
        file.close()
        raise


def _scenario(text: str, saved: str) -> Game:
    """The scenario that a replay or position names, or else that of a text; its options name no file.

    Raises:
        TurnwiseError: There is no such scenario.
    """
    try:
        named = json_of(saved) if saved else {}
    except ValueError as error:
        raise TurnwiseError(f"The saved game or position: {error}.") from None
    if isinstance(named, dict) and isinstance(named.get("game"), str):
        options = named.get("options", {})
        if not isinstance(options, dict):
            raise TurnwiseError("The saved game or position: expected its options as an object.")
        refuse_outside(named["game"], options)
        return GAMES.get(named["game"])(**options)
    refuse_outside(*split_text(text))
    return make(text)


def _entry(room: GameRoom) -> dict[str, Any]:
    """Where a new game is, and the secrets of its people."""
    return {"room": room.name, "secrets": [seat.secret for seat in room.seats]}
