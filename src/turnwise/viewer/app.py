"""The web application: addresses, and what they answer."""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from turnwise.arena.game_in_progress import GameInProgress
from turnwise.arena.live_games import LiveFile
from turnwise.core.errors import TurnwiseError, UnknownNameError
from turnwise.core.fields import problems
from turnwise.core.game import Game
from turnwise.core.state import State
from turnwise.core.text_file import begins_like_json, json_of, read_text
from turnwise.registry import GAMES, make, split_text
from turnwise.replay import LARGEST_REPLAY, read_replay
from turnwise.viewer import catalogue
from turnwise.viewer.analysis import Analyses, Analysis
from turnwise.viewer.followed_game import FollowedGame
from turnwise.viewer.guard import LOOPBACK, Guard
from turnwise.viewer.limits import MOST_STREAMS, checked_planner, refuse_outside
from turnwise.viewer.live_watch import LiveWatch
from turnwise.viewer.results import ResultsWatch
from turnwise.viewer.room import GameRoom
from turnwise.viewer.rooms import Rooms
from turnwise.viewer.seat_checks import SeatChecks
from turnwise.viewer.seats import NOT_YET, PERSON, WantedSeat, seat_problems, take_seats
from turnwise.viewer.thinking import Thinkers
from turnwise.viewer.tuning_watch import TuningWatch
from turnwise.viewer.viewed_game import ViewedGame, record_of

_POLL = 0.05  # seconds between two looks at a game that a page follows
_LIVE = 0.25  # seconds between two looks at a search
_STATIC = files("turnwise.viewer") / "static"
_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_PAGES = {"/": "index.html", "/room": "room.html", "/results": "results.html"}

_LISTED = ("room", "game", "title", "seats", "steps", "is_over", "result", "began", "changed")

Asked = TypeVar("Asked", bound=BaseModel)
Room = TypeVar("Room", bound=ViewedGame)


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid")

    secret: str = Field(default="", max_length=2000)


class NewGame(_Asked):
    """A game that a page asks for: from a scenario's start, from a state, or from a replay."""

    game: str = Field(default="", max_length=20_000)
    seats: list[WantedSeat] = Field(min_length=1, max_length=16)
    seed: int = Field(default=0, ge=0, lt=2**63)
    state: str = ""
    replay: str = ""


class WantedScenario(_Asked):
    """A scenario by its text, or as a replay or position names it."""

    game: str = Field(default="", max_length=20_000)
    saved: str = ""


class WantedSeats(WantedScenario):
    """The seats of a scenario, to be checked."""

    seats: list[WantedSeat] = Field(min_length=1, max_length=16)


class PlayedAction(_Asked):
    """An action of a person, and the number of steps that the page has seen."""

    action: str = Field(max_length=2000)
    at: int = Field(ge=0)


class AtStep(_Asked):
    """A place in a game."""

    at: int = Field(ge=0)


class WantedAnalysis(AtStep):
    """A search that a page asks for."""

    planner: str = Field(max_length=2000)
    budget: str = Field(max_length=200)


class Secret(_Asked):
    """Nothing but the secret."""


class Viewer:
    """What the application's answers share.

    Attributes:
        rooms: The games.
        analyses: The searches that people asked for.
        results: The tournament or tuning that is watched; None: none is.
        first_page: Path of the page to open.
        is_closing: Whether the server ends, and with it every stream.
    """

    def __init__(self, keep: Path | None, results: Path | None = None) -> None:
        """Open the folder of games.

        Args:
            keep: Folder of games; None: they end with the server.
            results: A results file to watch, or a replay to show.

        Raises:
            DamagedFileError: It is neither, or is damaged.
        """
        self.thinkers = Thinkers()
        self.checks = SeatChecks()
        self.rooms = Rooms(keep, self.thinkers)
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
        self.is_closing = False
        self._streams = 0
        self._following = threading.Lock()

    # ------------------------------------------------------------------------------------------------------ games

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
        return {"games": catalogue.games(), "planners": catalogue.planners(), "watches": watches}

    def scenario(self, asked: WantedScenario) -> dict[str, Any]:
        """The seats of a scenario, or of the one of a saved game or position."""
        game = _scenario(asked.game, asked.saved)
        seats = [game.seat_name(seat) for seat in range(game.players)]
        return {"game": game.name, "title": game.title, "seats": seats}

    def seat_problems(self, asked: WantedSeats) -> dict[str, Any]:
        """What is wrong with each seat of a game that is about to begin; empty: nothing."""
        problems = seat_problems(_scenario(asked.game, asked.saved), asked.seats, self.checks)
        return {"problems": problems, "is_checked": NOT_YET not in problems}

    def begin(self, asked: NewGame) -> dict[str, Any]:
        """A new game, and the secrets of its people's seats."""
        seed = asked.seed or secrets.randbits(62)
        if asked.replay:
            replay = read_replay(asked.replay, "The replay")
            refuse_outside(replay.game, replay.options)
            course = GameInProgress.replayed(replay, seed)
        else:
            game = _scenario(asked.game, asked.state)
            course = GameInProgress(State.from_json(asked.state, game, seed) if asked.state else game.start(seed))
        return _entry(self.rooms.add(course, take_seats(course.now.game, asked.seats, self.checks), seed))

    def branch(self, room: ViewedGame, asked: AtStep) -> dict[str, Any]:
        """A copy of a game's first steps as a game of its own, with the same players."""
        course = room.branch(asked.at, asked.secret)
        wanted = [WantedSeat(player=_playable(seat.player), budget=seat.budget or "time=1s") for seat in room.seats]
        seats = take_seats(course.now.game, wanted, self.checks)
        return _entry(self.rooms.add(course, seats, secrets.randbits(62), f"{room.name}/{asked.at}"))

    def analyse(self, room: ViewedGame, asked: WantedAnalysis) -> dict[str, Any]:
        """Begin a search; the answer names it."""
        state = room.known(asked.at, asked.secret)
        return {"analysis": self.analyses.begin(Analysis(state, asked.planner, asked.budget, secrets.randbits(62)))}

    def show(self, number: int) -> dict[str, Any]:
        """A game of the watched results as a room in which nobody plays."""
        watched = _watched_games(self, number)
        if not isinstance(watched, ResultsWatch):
            raise UnknownNameError("The game that was found is shown when the server is started with its file again.")
        replay, players = watched.replay(number)
        room = self.rooms.show(record_of(f"game-{number}", GameInProgress.replayed(replay, 0), players))
        return {"room": room.name}

    def follow(self, number: int) -> dict[str, Any]:
        """A game of the watched tournament or search while it is played, as a room in which nobody plays here."""
        watched, name = _watched_games(self, number), f"live-{number}"
        with self._following:  # of two pages that ask at the same time the second finds the room of the first
            room = self.rooms.shown(name)
            if room is None or not room.goes_on:
                room = self.rooms.show(_followed(name, watched.live(number)))
        return {"room": room.name}

    def close(self) -> None:
        """End searches and the engines of the games; every game is on the disk already."""
        self.checks.close()
        self.thinkers.close()
        self.rooms.close()

    # ------------------------------------------------------------------------------------------------------ streams

    async def events(self, room: ViewedGame, secret: str) -> AsyncIterator[str]:
        """Server-sent events of a game: ``game`` when it has changed, ``live`` while a planner thinks."""
        version, waited = -1, 0.0
        while not self.is_closing:
            if room.version != version:
                version = room.version
                yield _event("game", await run_in_threadpool(room.summary, secret))
            waited += _POLL
            if waited >= _LIVE:
                waited = 0.0
                await run_in_threadpool(room.look)
                live = await run_in_threadpool(room.live_facts, secret)
                if live is not None:
                    yield _event("live", live)
            await asyncio.sleep(_POLL)

    async def stream(self, events: AsyncIterator[str]) -> Response:
        """A response that goes on until the page leaves."""
        if self._streams >= MOST_STREAMS:
            return _error("Too many pages follow games on this server; close some.", 503)

        async def counted() -> AsyncIterator[str]:
            self._streams += 1
            try:
                yield "retry: 1000\n\n"
                async for event in events:
                    yield event
            finally:
                self._streams -= 1

        return StreamingResponse(counted(), media_type="text/event-stream")


def make_app(keep: Path | None, *, results: Path | None = None, hosts: Iterable[str] = ()) -> Starlette:
    """The application.

    Args:
        keep: Folder in which games are kept; None: they end with the server.
        results: A results file to watch, or a replay to show.
        hosts: Names of the server besides those of this machine.
    """
    viewer = Viewer(keep, results)

    def of_server(work: Callable[[], Any]) -> Callable[[Request], Awaitable[Response]]:
        """An answer that does not depend on the request."""

        async def answer(request: Request) -> Response:
            return await _answer(work)

        return answer

    def of_room(work: Callable[[ViewedGame, str], Any]) -> Callable[[Request], Awaitable[Response]]:
        """An answer to a page that looks at a game."""

        async def answer(request: Request) -> Response:
            def found() -> Any:
                return work(viewer.rooms.get(request.path_params["room"]), request.query_params.get("secret", ""))

            return await _answer(found)

        return answer

    def to_room(
        find: Callable[[str], Room], kind: type[Asked], work: Callable[[Room, Asked], dict[str, Any] | None]
    ) -> Callable[[Request], Awaitable[Response]]:
        """An answer to a page that does something with a game."""

        async def answer(request: Request) -> Response:
            body = await request.body()

            def done() -> Any:
                return work(find(request.path_params["room"]), _read(kind, body)) or {}

            return await _answer(done)

        return answer

    def at_step(work: Callable[[ViewedGame, int, str], Any]) -> Callable[[Request], Awaitable[Response]]:
        """An answer to a page that looks at a place in a game."""

        async def answer(request: Request) -> Response:
            number, secret = request.path_params["number"], request.query_params.get("secret", "")
            return await _answer(lambda: work(viewer.rooms.get(request.path_params["room"]), number, secret))

        return answer

    def of_name(work: Callable[[Any], Any]) -> Callable[[Request], Awaitable[Response]]:
        """An answer about what the last part of the address names."""

        async def answer(request: Request) -> Response:
            return await _answer(lambda: work(request.path_params["name"]) or {})

        return answer

    def to_server(
        kind: type[Asked], work: Callable[[Asked], dict[str, Any]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """An answer to what a page asks of the server itself."""

        async def answer(request: Request) -> Response:
            body = await request.body()
            return await _answer(lambda: work(_read(kind, body)))

        return answer

    async def events(request: Request) -> Response:
        try:
            room = await run_in_threadpool(viewer.rooms.get, request.path_params["room"])
        except TurnwiseError as error:
            return _refused(error)
        return await viewer.stream(viewer.events(room, request.query_params.get("secret", "")))

    def room_route(path: str, answer: Callable[[Request], Awaitable[Response]]) -> Route:
        return Route(f"/api/rooms/{{room}}/{path}", answer, methods=["POST"])

    rooms = viewer.rooms

    routes = [
        *(Route(path, _page) for path in _PAGES),
        Route("/static/{name}", _static),
        Route("/api/catalogue", of_server(viewer.catalogue)),
        Route("/api/rooms", of_server(viewer.list_games)),
        Route("/api/rooms", to_server(NewGame, viewer.begin), methods=["POST"]),
        Route("/api/rooms/{room}", of_room(lambda room, secret: room.summary(secret))),
        Route("/api/rooms/{name}", of_name(viewer.rooms.delete), methods=["DELETE"]),
        Route("/api/rooms/{room}/events", events),
        Route(
            "/api/rooms/{room}/frames/{number:int}", at_step(lambda room, number, secret: room.frame(number, secret))
        ),
        Route(
            "/api/rooms/{room}/course/{number:int}", at_step(lambda room, number, secret: room.course(number, secret))
        ),
        Route(
            "/api/rooms/{room}/positions/{number:int}",
            at_step(lambda room, number, secret: room.position(number, secret)),
        ),
        Route("/api/rooms/{room}/replay", of_room(lambda room, secret: room.replay(secret).model_dump(mode="json"))),
        room_route("play", to_room(rooms.played, PlayedAction, _play)),
        room_route("undo", to_room(rooms.played, Secret, lambda room, asked: room.undo(asked.secret))),
        room_route("take-back", to_room(rooms.played, Secret, lambda room, asked: room.take_back(asked.secret))),
        room_route("resume", to_room(rooms.played, Secret, lambda room, asked: room.resume())),
        room_route("branch", to_room(rooms.get, AtStep, viewer.branch)),
        room_route("analyses", to_room(rooms.get, WantedAnalysis, viewer.analyse)),
        Route("/api/analyses/{name}", of_name(lambda name: viewer.analyses.get(name).facts())),
        Route("/api/analyses/{name}/stop", of_name(lambda name: viewer.analyses.get(name).stop()), methods=["POST"]),
        Route("/api/scenario", to_server(WantedScenario, viewer.scenario), methods=["POST"]),
        Route("/api/seats", to_server(WantedSeats, viewer.seat_problems), methods=["POST"]),
        Route("/api/results", of_server(lambda: _watched(viewer).facts())),
        Route("/api/results/games/{name:int}", of_name(viewer.show), methods=["POST"]),
        Route("/api/results/live/{name:int}", of_name(viewer.follow), methods=["POST"]),
    ]
    guard = Middleware(Guard, hosts=(*LOOPBACK, *hosts))
    app = Starlette(routes=routes, middleware=[guard], exception_handlers={Exception: _unexpected})
    app.state.viewer = viewer
    return app


def watch_of(path: Path) -> LiveWatch | TuningWatch:
    """What watches a results file.

    Raises:
        DamagedFileError: It is no results file, or is damaged.
    """
    return TuningWatch(path) if TuningWatch.fits(path) else ResultsWatch(path)


def _watched(viewer: Viewer) -> LiveWatch | TuningWatch:
    if viewer.results is None:
        raise UnknownNameError("No results are watched here. Start the server with them: turnwise serve RESULTS.sqlite")
    return viewer.results


def _watched_games(viewer: Viewer, number: int) -> LiveWatch:
    """The watched tournament or search, which may have a game of that number."""
    watched = _watched(viewer)
    if number >= 2**31:
        raise UnknownNameError(f"There is no game {number:.3g} in these results.")
    if not isinstance(watched, LiveWatch):
        raise UnknownNameError("The results of a tuning hold no games.")
    return watched


def _followed(name: str, file: LiveFile) -> FollowedGame:
    """A game that is being played; its file is closed where it cannot be shown here."""
    try:
        return FollowedGame(name, file)
    except BaseException:
        file.close()
        raise


def _play(room: GameRoom, asked: PlayedAction) -> None:
    room.play(asked.action, asked.secret, asked.at)


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


def _playable(player: str) -> str:
    """A planner's text, or a person in place of a name that a tournament has given."""
    try:
        return checked_planner(player).spec
    except TurnwiseError:
        return PERSON


def _entry(room: GameRoom) -> dict[str, Any]:
    """Where a new game is, and the secrets of its people."""
    return {"room": room.name, "secrets": [seat.secret for seat in room.seats]}


def _read(kind: type[Asked], body: bytes) -> Asked:
    try:
        return kind.model_validate_json(body)
    except ValidationError as error:
        raise TurnwiseError(f"The request is not as expected: {problems(error, kind)[0]}.") from None


async def _answer(work: Callable[[], Any]) -> Response:
    """What some work returns as JSON; the work runs in a thread, so that the server goes on."""
    try:
        return JSONResponse(await run_in_threadpool(work))
    except TurnwiseError as error:
        return _refused(error)


def _refused(error: TurnwiseError) -> Response:
    return _error(str(error), 404 if isinstance(error, UnknownNameError) else 400)


async def _unexpected(request: Request, error: Exception) -> Response:
    """What nobody foresaw; the server prints where it happened."""
    return _error(
        f"unexpected {type(error).__name__}: {error}. This is a bug in turnwise, or in a game of your own.", 500
    )


def _error(text: str, status: int) -> Response:
    return JSONResponse({"error": text}, status)


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


async def _page(request: Request) -> Response:
    return _file(_PAGES[request.url.path])


async def _static(request: Request) -> Response:
    return _file(request.path_params["name"])


def _file(name: str) -> Response:
    """A file of the pages; colours are those of the reports."""
    if name == "colours.css":
        templates = files("turnwise.report") / "templates"
        light, dark = ((templates / f"{theme}.css").read_text("utf-8") for theme in ("light", "dark"))
        sheet = f":root {{{light}}}\n@media (prefers-color-scheme: dark) {{:root {{{dark}}}}}"
        return Response(sheet, media_type="text/css")
    known = {each.name: each for each in _STATIC.iterdir()}
    if name not in known:
        return _error("There is no such page.", 404)
    return Response(known[name].read_bytes(), media_type=_KINDS[Path(name).suffix])
