"""The files of the pages."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from turnwise.viewer.answers import error_answer

_STATIC = files("turnwise.viewer") / "static"
_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_PAGES = {"/": "index.html", "/room": "room.html", "/results": "results.html"}


def page_routes() -> list[Route]:
    """The addresses of the pages, and of what they load."""
    return [*(Route(path, _page) for path in _PAGES), Route("/static/{name}", _static)]


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
        return error_answer("There is no such page.", 404)
    return Response(known[name].read_bytes(), media_type=_KINDS[Path(name).suffix])
