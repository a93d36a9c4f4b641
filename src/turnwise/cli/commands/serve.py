"""``serve``: play, watch and analyse games in a browser."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path
from typing import Annotated

import typer

from turnwise.cli.ui.options import add
from turnwise.cli.ui.output import plain
from turnwise.core.errors import OptionError

_ANYWHERE = ("0.0.0.0", "::")


def register(app: typer.Typer) -> None:
    """Add the command."""
    add(
        app,
        serve,
        "turnwise serve",
        "turnwise serve league.sqlite --port 8080",
        "turnwise --import my_game serve --keep my-games",
        'turnwise serve --engine "./samegame"',
    )


def serve(
    results: Annotated[
        Path | None,
        typer.Argument(metavar="RESULTS", help="Results of a tournament or tuning to watch, or a replay."),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0: any that is free.")] = 8000,
    address: Annotated[
        str,
        typer.Option(
            "--address", metavar="ADDRESS", help="Address to listen on; the default is open to this machine only."
        ),
    ] = "127.0.0.1",
    host: Annotated[
        list[str] | None,
        typer.Option("--host", metavar="NAME", help="Further name of this server; may be given several times."),
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option("--engine", metavar="COMMAND", help="Program that pages may choose as a player; may be repeated."),
    ] = None,
    keep: Annotated[
        Path, typer.Option("--keep", metavar="FOLDER", help="Folder of the games, so that a restart loses nothing.")
    ] = Path("turnwise-games"),
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Whether to open the page in your browser.")
    ] = True,
) -> None:
    """Play, watch and analyse games in a browser.

    Starts a server on this machine, shows its address and opens its page in your browser. Seats are for people or for
    any planner; the page shows what a planner sees while it thinks. Games are kept in a folder. Ctrl-C ends the server.
    """
    from turnwise.cli.ui.signals import like_ctrl_c
    from turnwise.core.extras import need
    from turnwise.core.output_files import make_folder

    need("viewer", "The viewer", "'turnwise play' plays in the terminal.")
    from turnwise.viewer.app import make_app
    from turnwise.viewer.server import listening_socket, run

    if address in _ANYWHERE and not host:
        raise OptionError(
            f"--address {address} answers the whole network, but under no name. Give the name that people type in "
            "their browsers, too: --host NAME."
        )
    app = make_app(keep, results=results, engines=engine or [], hosts=[address, f"[{address}]", *(host or [])])
    with listening_socket(address, port) as listener:
        make_folder(keep, "--keep")
        name = (host or [address])[0]
        shown = f"[{name}]" if ":" in name else name
        page = f"http://{shown}:{listener.getsockname()[1]}{app.state.viewer.first_page}"

        def show() -> None:
            plain(f"Open {page} (Ctrl-C ends the server).")
            if browser and _has_windows():
                threading.Thread(target=_open, args=(page,), daemon=True).start()  # some browsers wait to be closed

        with like_ctrl_c():
            run(app, listener, show)
    plain(f"The server has ended; its games are kept in {keep}.")


def _has_windows() -> bool:
    """Whether a browser would open a window; one in text mode would take the terminal from the server."""
    shows_windows = any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")))
    return shows_windows or sys.platform in ("win32", "darwin")


def _open(page: str) -> None:
    """Open a page; without a browser its address is in the terminal."""
    import webbrowser

    webbrowser.open(page)
