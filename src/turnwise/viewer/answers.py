"""From work on games to answers over HTTP: the work runs in threads, its errors become words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from turnwise.core.errors import TurnwiseError, UnknownNameError
from turnwise.core.fields import problems
from turnwise.viewer.rooms import Rooms
from turnwise.viewer.viewed_game import ViewedGame

Answer = Callable[[Request], Awaitable[Response]]
Asked = TypeVar("Asked", bound=BaseModel)
Room = TypeVar("Room", bound=ViewedGame)


class Answers:
    """Makes the answer to each kind of request from the work that it asks for."""

    def __init__(self, rooms: Rooms) -> None:
        """Answer nothing yet.

        Args:
            rooms: The games.
        """
        self._rooms = rooms

    def of_server(self, work: Callable[[], Any]) -> Answer:
        """An answer that does not depend on the request."""

        async def answer(request: Request) -> Response:
            return await _answer(work)

        return answer

    def of_room(self, work: Callable[[ViewedGame, str], Any]) -> Answer:
        """An answer to a page that looks at a game."""

        async def answer(request: Request) -> Response:
            def found() -> Any:
                return work(self._rooms.get(request.path_params["room"]), request.query_params.get("secret", ""))

            return await _answer(found)

        return answer

    def to_room(
        self, find: Callable[[str], Room], kind: type[Asked], work: Callable[[Room, Asked], dict[str, Any] | None]
    ) -> Answer:
        """An answer to a page that does something with a game."""

        async def answer(request: Request) -> Response:
            body = await request.body()

            def done() -> Any:
                return work(find(request.path_params["room"]), _read(kind, body)) or {}

            return await _answer(done)

        return answer

    def at_step(self, work: Callable[[ViewedGame, int, str], Any]) -> Answer:
        """An answer to a page that looks at a place in a game."""

        async def answer(request: Request) -> Response:
            number, secret = request.path_params["number"], request.query_params.get("secret", "")
            return await _answer(lambda: work(self._rooms.get(request.path_params["room"]), number, secret))

        return answer

    def of_name(self, work: Callable[[Any], Any]) -> Answer:
        """An answer about what the last part of the address names."""

        async def answer(request: Request) -> Response:
            return await _answer(lambda: work(request.path_params["name"]) or {})

        return answer

    def to_server(self, kind: type[Asked], work: Callable[[Asked], dict[str, Any]]) -> Answer:
        """An answer to what a page asks of the server itself."""

        async def answer(request: Request) -> Response:
            body = await request.body()
            return await _answer(lambda: work(_read(kind, body)))

        return answer


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
        return refused_answer(error)


def refused_answer(error: TurnwiseError) -> Response:
    """The words of an error that is the page's own."""
    return error_answer(str(error), 404 if isinstance(error, UnknownNameError) else 400)


async def unexpected(request: Request, error: Exception) -> Response:
    """What nobody foresaw; the server prints where it happened."""
    return error_answer(
        f"unexpected {type(error).__name__}: {error}. This is a bug in turnwise, or in a game of your own.", 500
    )


def error_answer(text: str, status: int) -> Response:
    """An error in words."""
    return JSONResponse({"error": text}, status)
