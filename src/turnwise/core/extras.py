"""Optional libraries: a clear error that names the missing extra, before any work is lost."""

from __future__ import annotations

import importlib.util

from turnwise.core.errors import TurnwiseError

LIBRARIES = {
    "dask": ("dask", "distributed"),
    "report": ("matplotlib", "jinja2"),
    "export": ("pyarrow",),
    "tune": ("optuna",),
    "viewer": ("starlette", "uvicorn"),
    "rl": ("gymnasium", "pettingzoo", "resvg_py", "PIL", "matplotlib"),
    "open-spiel": ("pyspiel",),
}
"""Extra -> the modules that it installs."""


def need(extra: str, purpose: str, otherwise: str = "") -> None:
    """Check that an extra is installed.

    Args:
        extra: Its name in ``pip install 'turnwise[NAME]'``.
        purpose: What needs it, as the beginning of a sentence ("An HTML report").
        otherwise: What works without it, as a sentence.

    Raises:
        TurnwiseError: A module of the extra is missing.
    """
    missing = [name for name in LIBRARIES[extra] if importlib.util.find_spec(name) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise TurnwiseError(
            f"{purpose} needs {' and '.join(missing)}, which {verb} not installed. Install the extra: "
            f"pip install 'turnwise[{extra}]'.{' ' + otherwise if otherwise else ''}"
        )
