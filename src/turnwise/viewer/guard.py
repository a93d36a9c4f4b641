"""Who may ask: only pages of this server, by a name that it goes by, with requests of limited size.

A page of another site could send requests to a server on the same machine through the browser. Such requests carry a
foreign ``Origin``, ``Sec-Fetch-Site: cross-site``, or, if a foreign name was pointed at this machine, a foreign
``Host``.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from turnwise.viewer.limits import LARGEST_BODY, LONGEST_PATH

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_SAFE = ("GET", "HEAD")
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Middleware that refuses requests from elsewhere, and adds headers that keep pages to themselves."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOOPBACK) -> None:
        """Guard an application.

        Args:
            app: The application.
            hosts: Names under which the server may be reached, without ports.
        """
        self._app, self._hosts = app, frozenset(name.lower() for name in hosts)  # as browsers write them

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, why = self._refusal(scope["method"], scope["path"], Headers(scope=scope))
        if why:
            await JSONResponse({"error": why}, status, headers=_HEADERS)(scope, receive, send)
            return

        async def send_guarded(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start":
                own = [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]
                message = {**message, "headers": [*message["headers"], *own]}  # type: ignore[misc]
            await send(message)

        await self._app(scope, receive, send_guarded)  # type: ignore[arg-type]

    def _refusal(self, method: str, path: str, headers: Headers) -> tuple[int, str]:
        """Status and reason if a request is refused; an empty reason: it is not."""
        if len(path) > LONGEST_PATH:
            return 414, f"Expected an address of at most {LONGEST_PATH} characters; got {len(path):,}."
        host = headers.get("host", "").lower()
        if host.rsplit(":", 1)[0] not in self._hosts and host not in self._hosts:
            names = ", ".join(sorted(self._hosts))
            return 421, f"This server goes by {names}; got {host[:80]!r}. 'turnwise serve --host NAME' adds a name."
        origin = headers.get("origin")
        if origin is not None and _place(origin) != host:
            return 403, f"This server answers its own pages only, got a request of {origin[:80]!r}."
        if headers.get("sec-fetch-site", "none") == "cross-site" and headers.get("sec-fetch-mode") != "navigate":
            return 403, "This server answers its own pages only, got a request of another site."
        if method not in _SAFE:
            kind = headers.get("content-type", "")
            if not kind.startswith("application/json"):
                return 415, f"Expected a request of the type application/json (Content-Type); got {kind[:80]!r}."
            # A body in chunks has no other length, whatever the header says.
            if "transfer-encoding" in headers or not headers.get("content-length", "").isdecimal():
                return 411, "Expected a request with its length (Content-Length), not one in chunks."
            if int(headers["content-length"]) > LARGEST_BODY:
                return 413, f"Expected at most {LARGEST_BODY:,} bytes; got {int(headers['content-length']):,}."
        return 200, ""


def _place(origin: str) -> str:
    """Host and port of an origin; empty: it is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:  # as of "http://["
        return ""
