"""The server: a socket, and uvicorn on it."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn
from starlette.applications import Starlette

from turnwise.core.errors import OptionError
from turnwise.viewer.limits import MOST_STREAMS
from turnwise.viewer.service import Viewer

_PATIENCE = 1  # seconds that open streams get at the end


def listening_socket(address: str, port: int) -> socket.socket:
    """A socket that listens.

    Args:
        address: An address of this machine.
        port: 0: any that is free.

    Raises:
        OptionError: It cannot listen there.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise OptionError(
            f"cannot listen on {address}, port {port} ({error.strerror or error}). Another program may use the port: "
            "give another one with --port, or --port 0 for any that is free."
        ) from None
    return listener


class _Server(uvicorn.Server):
    """A server that says when it is ready."""

    def __init__(self, config: uvicorn.Config, viewer: Viewer, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._viewer, self._ready = viewer, ready

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let open streams end: they look at the flag."""
        self._viewer.streams.is_closing = True
        await super().shutdown(sockets)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()


def run(app: Starlette, listener: socket.socket, ready: Callable[[], None] = lambda: None) -> None:
    """Serve until Ctrl-C or SIGTERM.

    Args:
        app: The application.
        listener: A socket that listens.
        ready: Called when the server answers.
    """
    try:
        with suppress(KeyboardInterrupt):  # how people end a server
            server_of(app, ready).run(sockets=[listener])
    finally:
        app.state.viewer.close()


def server_of(app: Starlette, ready: Callable[[], None] = lambda: None) -> uvicorn.Server:
    """A server of an application, not yet running.

    Args:
        app: The application.
        ready: Called when the server answers.
    """
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        limit_concurrency=4 * MOST_STREAMS,
        timeout_graceful_shutdown=_PATIENCE,
        server_header=False,
    )
    return _Server(config, app.state.viewer, ready)
