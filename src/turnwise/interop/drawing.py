"""What environments show: the board as text, on the terminal, or as an image."""

from __future__ import annotations

import io
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from turnwise.core import arguments
from turnwise.core.state import State

RENDER_MODES = ("human", "ansi", "rgb_array")
_BACKGROUND = "#ffffff"
_FONT = "DejaVu Sans"


def drawing_metadata(name: str) -> dict[str, Any]:
    """What an environment declares about its drawing.

    Args:
        name: Name of the environment.
    """
    return {"render_modes": list(RENDER_MODES), "render_fps": 2, "name": name, "is_parallelizable": False}


def checked_mode(mode: str | None) -> str | None:
    """Check a render mode.

    Raises:
        OptionError: It is unknown.
    """
    return None if mode is None else arguments.choice(mode, "render_mode", RENDER_MODES)


def draw(state: State, mode: str) -> str | NDArray[np.uint8] | None:
    """Draw a state.

    Args:
        state: The state.
        mode: "human" prints the coloured board, "ansi" returns the board as text, "rgb_array" the picture.

    Returns:
        None, the text, or uint8[height, width, 3].
    """
    if mode == "human":
        print(state.game.coloured_board_text(state.row) if sys.stdout.isatty() else str(state))
        return None
    return str(state) if mode == "ansi" else pixels(state._repr_svg_())


@cache
def _fonts() -> list[str]:
    """Files of the fonts that matplotlib brings along."""
    from matplotlib import get_data_path

    folder = Path(get_data_path()) / "fonts" / "ttf"
    return [str(folder / f"{name}.ttf") for name in ("DejaVuSans", "DejaVuSans-Bold", "DejaVuSansMono")]


def pixels(svg: str) -> NDArray[np.uint8]:
    """A drawing as an image.

    Args:
        svg: The drawing; its texts are in the fonts that matplotlib brings along.

    Returns:
        uint8[height, width, 3].
    """
    import resvg_py
    from PIL import Image

    png = resvg_py.svg_to_bytes(
        svg_string=svg,
        background=_BACKGROUND,
        font_files=_fonts(),
        skip_system_fonts=True,  # the same picture on every machine
        font_family=_FONT,
        sans_serif_family=_FONT,
        serif_family=_FONT,
        monospace_family=f"{_FONT} Mono",
    )
    return np.asarray(Image.open(io.BytesIO(bytes(png))).convert("RGB")).copy()
