"""A bench result as ratios: ``turnwise bench GAME --json | python benchmarks/ratios.py -``, or with files of results.

Files with a calibration are compared by it: each figure is scaled to a machine whose calibration loop runs as fast as
that of the reference. Files without one are compared as they are. A result belongs to the reference of its scenario,
however the scenario is written, or else to that of its game.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import turnwise

REFERENCE = tomllib.loads((Path(__file__).parent / "reference.toml").read_text(encoding="utf-8"))


def verdict(speed: float, reference: dict[str, float]) -> str:
    """How a speed compares with the floor and the aim."""
    if speed < reference["floor"]:
        return "BELOW THE FLOOR"
    return "aim met" if speed >= reference["aim"] else "floor met"


def read(path: str) -> dict[str, Any]:
    """A result from a file, ``-`` for standard input; ends the program with a message if it is something else."""
    wanted = ("game", "machine", "results")
    expected = f"expected a result of turnwise bench GAME --json, with the fields {', '.join(wanted)}"
    try:
        found = json.loads(sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        sys.exit(f"{path} cannot be read ({error.strerror}); {expected}")
    except ValueError as error:
        sys.exit(f"{path} is not JSON ({error}); {expected}")
    missing = [name for name in wanted if not isinstance(found, dict) or name not in found]
    if missing:
        sys.exit(f"{path}: {expected}; got a JSON value without {', '.join(missing)}")
    result: dict[str, Any] = found
    return result


def reference_of(result: dict[str, Any]) -> dict[str, dict[str, float]]:
    """The reference figures of a result's scenario, or of its game; empty if there are none."""
    game, scenario = result["game"], result.get("scenario", "")
    listed = {key: figures for key, figures in REFERENCE.items() if key == game or key.startswith(f"{game}:")}
    found: dict[str, dict[str, float]] = listed.get(scenario) or listed.get(game, {})
    if scenario and len(listed) > (game in listed):
        try:
            measured = turnwise.make(scenario)
        except turnwise.TurnwiseError:  # a mode of one's own: its label does not contain it
            return found
        found = next((figures for key, figures in listed.items() if measured.shares_rows(turnwise.make(key))), found)
    return found


def warn_of_no_match(result: dict[str, Any], known: dict[str, dict[str, float]]) -> None:
    """Say on standard error that nothing was checked, if the game has reference figures."""
    game, figures = result["game"], {figure["name"] for figure in result["results"]}
    keys = [key for key in REFERENCE if key == game or key.startswith(f"{game}:")]
    if keys and not figures & known.keys():
        print(
            f"warning: no figure of {result.get('scenario') or game} was compared; reference.toml has figures of "
            f"{', '.join(keys)}",
            file=sys.stderr,
        )


def scaled(figure: dict[str, float], calibration: float | None) -> tuple[float, ...]:
    """A figure's median, slowest and fastest round, on the machine of the reference if each has its own calibration."""
    if not calibration:
        return figure["per_second"], figure["low"], figure["high"]
    steps = REFERENCE["calibration"]["steps"]
    if "relative_low" not in figure:  # in older results only the median was scaled; its spread is that of the rounds
        scale = figure["relative"] * steps / 1e6 / figure["per_second"]
        return tuple(figure[name] * scale for name in ("per_second", "low", "high"))
    median, low, high = (figure[name] * steps / 1e6 for name in ("relative", "relative_low", "relative_high"))
    return median, low, high


def show(path: str) -> bool:
    """Print a file's figures, ``-`` for standard input; returns whether all known ones reach what is wanted of them."""
    result = read(path)
    known = reference_of(result)
    warn_of_no_match(result, known)
    wanted = REFERENCE["times-original"].get(result["game"])
    calibration = result.get("calibration")
    scale = REFERENCE["calibration"]["steps"] / calibration if calibration else 1.0
    print(f"{result.get('scenario') or result['game']} on {result['machine']}")
    if calibration:
        print(f"  calibration {calibration:,.0f} steps per second; speeds below are multiplied by {scale:.3f}")
    sound, times = True, {}
    for figure in result["results"]:
        name, reference = figure["name"], known.get(figure["name"])
        speed, low, high = scaled(figure, calibration)
        spread = f"({low:,.0f} to {high:,.0f})"
        if reference is None:
            print(f"  {name:<18}{speed:>14,.0f} {spread}")
            continue
        reached = verdict(speed, reference)
        sound &= reached != "BELOW THE FLOOR"
        times[name] = speed / reference["original"]
        print(f"  {name:<18}{speed:>14,.0f} {spread:<30}{times[name]:8.1f} x original   {reached}")
    if times and wanted:
        least = min(times, key=lambda name: times[name])
        sound &= times[least] >= wanted
        verdict_of_all = "reached" if times[least] >= wanted else "NOT REACHED"
        print(f"  at least {wanted} x original: {verdict_of_all}; smallest: {times[least]:.1f} ({least})")
    return sound


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    below = [name for name in sys.argv[1:] if not show(name)]
    sys.exit(1 if below else 0)
