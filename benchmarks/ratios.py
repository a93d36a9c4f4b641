"""A bench result as ratios: ``python benchmarks/ratios.py FILE...`` with files from ``turnwise bench GAME --json``.

Files with a calibration are compared by it: each figure is scaled to a machine whose calibration loop runs as fast as
that of the reference. Files without one are compared as they are.
"""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

REFERENCE = tomllib.loads((Path(__file__).parent / "reference.toml").read_text(encoding="utf-8"))


def verdict(speed: float, reference: dict[str, float]) -> str:
    """How a speed compares with the floor and the aim."""
    if speed < reference["floor"]:
        return "BELOW THE FLOOR"
    return "aim met" if speed >= reference["aim"] else "floor met"


def show(path: Path) -> bool:
    """Print a file's figures; returns whether all known ones reach their floor."""
    result = json.loads(path.read_text(encoding="utf-8"))
    calibration = result.get("calibration")
    scale = REFERENCE["calibration"]["steps"] / calibration if calibration else 1.0
    print(f"{result['game']} on {result['machine']}")
    if calibration:
        print(f"  calibration {calibration:,.0f} steps per second; speeds below are multiplied by {scale:.3f}")
    sound = True
    for figure in result["results"]:
        name, speed = figure["name"], float(figure["per_second"]) * scale
        if calibration:  # each round was measured with its own calibration
            speed = figure["relative"] * REFERENCE["calibration"]["steps"] / 1e6
        reference = REFERENCE.get(result["game"], {}).get(name)
        spread = f"({figure['low'] * scale:,.0f} to {figure['high'] * scale:,.0f})"
        if reference is None:
            print(f"  {name:<18}{speed:>14,.0f} {spread}")
            continue
        reached = verdict(speed, reference)
        sound &= reached != "BELOW THE FLOOR"
        print(f"  {name:<18}{speed:>14,.0f} {spread:<30}{speed / reference['original']:8.1f} x original   {reached}")
    return sound


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    below = [name for name in sys.argv[1:] if not show(Path(name))]
    sys.exit(1 if below else 0)
