"""The web application: addresses, and what they answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from turnwise.core.errors import TurnwiseError
from turnwise.viewer.answers import Answer, Answers, refused_answer, unexpected
from turnwise.viewer.asked import AtStep, NewGame, PlayedAction, Secret, WantedAnalysis, WantedScenario, WantedSeats
from turnwise.viewer.guard import LOOPBACK, Guard
from turnwise.viewer.pages import page_routes
from turnwise.viewer.service import Viewer


def make_app(
    keep: Path | None, *, results: Path | None = None, engines: Sequence[str] = (), hosts: Iterable[str] = ()
) -> Starlette:
    """The application.

    Args:
        keep: Folder in which games are kept; None: they end with the server.
        results: A results file to watch, or a replay to show.
        engines: Command lines of engines that pages may choose as players.
        hosts: Names of the server in addition to those of this machine.
    """
    viewer = Viewer(keep, results, engines)
    answers = Answers(viewer.rooms)
    routes = [
        *page_routes(),
        *_server_routes(viewer, answers),
        *_look_routes(viewer, answers),
        *_play_routes(viewer, answers),
        *_results_routes(viewer, answers),
    ]
    guard = Middleware(Guard, hosts=(*LOOPBACK, *hosts))
    app = Starlette(routes=routes, middleware=[guard], exception_handlers={Exception: unexpected})
    app.state.viewer = viewer
    return app


def _server_routes(viewer: Viewer, answers: Answers) -> list[Route]:
    """What the server has and offers, and new games."""
    return [
        Route("/api/catalogue", answers.of_server(viewer.catalogue)),
        _post("/api/scenario", answers.to_server(WantedScenario, viewer.scenario)),
        _post("/api/seats", answers.to_server(WantedSeats, viewer.seat_problems)),
        Route("/api/rooms", answers.of_server(viewer.list_games)),
        _post("/api/rooms", answers.to_server(NewGame, viewer.begin)),
        Route("/api/rooms/{name}", answers.of_name(viewer.rooms.delete), methods=["DELETE"]),
        Route("/api/analyses/{name}", answers.of_name(lambda name: viewer.analyses.get(name).facts())),
        _post("/api/analyses/{name}/stop", answers.of_name(lambda name: viewer.analyses.get(name).stop())),
    ]


def _look_routes(viewer: Viewer, answers: Answers) -> list[Route]:
    """What a page sees of a game."""

    async def events(request: Request) -> Response:
        try:
            room = await run_in_threadpool(viewer.rooms.get, request.path_params["room"])
        except TurnwiseError as error:
            return refused_answer(error)
        return viewer.streams.follow(room, request.query_params.get("secret", ""))

    room = "/api/rooms/{room}"
    return [
        Route(room, answers.of_room(lambda room, secret: room.summary(secret))),
        Route(f"{room}/events", events),
        Route(f"{room}/frames/{{number:int}}", answers.at_step(lambda room, at, secret: room.frame(at, secret))),
        Route(f"{room}/rules", answers.of_room(lambda room, secret: room.rules())),
        Route(f"{room}/course/{{number:int}}", answers.at_step(lambda room, at, secret: room.course(at, secret))),
        Route(f"{room}/positions/{{number:int}}", answers.at_step(lambda room, at, secret: room.position(at, secret))),
        Route(f"{room}/replay", answers.of_room(lambda room, secret: room.replay(secret).model_dump(mode="json"))),
    ]


def _play_routes(viewer: Viewer, answers: Answers) -> list[Route]:
    """What a page does with a game."""
    to_room, played, found = answers.to_room, viewer.rooms.played, viewer.rooms.get
    room = "/api/rooms/{room}"
    return [
        _post(
            f"{room}/play",
            to_room(played, PlayedAction, lambda room, asked: room.play(asked.action, asked.secret, asked.at)),
        ),
        _post(f"{room}/undo", to_room(played, Secret, lambda room, asked: room.undo(asked.secret))),
        _post(f"{room}/take-back", to_room(played, Secret, lambda room, asked: room.take_back(asked.secret))),
        _post(f"{room}/resume", to_room(played, Secret, lambda room, asked: room.resume())),
        _post(f"{room}/branch", to_room(found, AtStep, viewer.branch)),
        _post(f"{room}/analyses", to_room(found, WantedAnalysis, viewer.analyse)),
    ]


def _results_routes(viewer: Viewer, answers: Answers) -> list[Route]:
    """The watched results and their games; to open one may close another, so that only a POST does it."""
    return [
        Route("/api/results", answers.of_server(lambda: viewer.watched().facts())),
        _post("/api/results/games/{name:int}", answers.of_name(viewer.show)),
        _post("/api/results/live/{name:int}", answers.of_name(viewer.follow)),
    ]


def _post(path: str, answer: Answer) -> Route:
    return Route(path, answer, methods=["POST"])
