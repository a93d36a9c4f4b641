"""Pages that follow a game: the server sends what has changed, until the page leaves."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from turnwise.viewer.answers import error_answer
from turnwise.viewer.limits import MOST_STREAMS
from turnwise.viewer.viewed_game import ViewedGame

_POLL = 0.05  # seconds between two looks at a game that a page follows
_LIVE = 0.25  # seconds between two looks at a search


class GameStreams:
    """The pages that follow games on a server.

    Attributes:
        is_closing: Whether the server ends, and with it every stream.
    """

    def __init__(self) -> None:
        """Nobody follows yet."""
        self.is_closing = False
        self._number = 0

    def follow(self, room: ViewedGame, secret: str) -> Response:
        """A response that goes on until the page leaves; with too many of them an error.

        Args:
            room: The game.
            secret: What the page knows.
        """
        if self._number >= MOST_STREAMS:
            return error_answer("Too many pages follow games on this server; close some.", 503)
        return StreamingResponse(self._events(room, secret), media_type="text/event-stream")

    async def _events(self, room: ViewedGame, secret: str) -> AsyncIterator[str]:
        """Server-sent events: ``game`` when the game has changed, ``live`` while a planner thinks."""
        version, waited = -1, 0.0
        self._number += 1
        try:
            yield "retry: 1000\n\n"
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
        finally:
            self._number -= 1


def _event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"
