"""Plan all golden cases and store the results: ``python tests/golden/record.py [PLANNER ...]``.

The recordings are a fixed point for restructuring: plans, values and counters stay as they are. Record again only when
a change of behaviour is intended, and read the difference.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
import time
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import turnwise
from golden.cases import Case, any_action, cases_of, game_of, planner_of, planners, state_of

FOLDER = Path(__file__).parent
_SHOWN = 3  # codes of a long line that are kept as they are


def outcome(case: Case) -> dict[str, Any]:
    """The result of planning a case, as plain data."""
    if case.turns:
        return _session(case)
    state = _known(state_of(case.game, case.where), 0)
    return _plan(state, planner_of(case.planner).plan(state, turnwise.parse_budget(case.budget), seed=case.seed))


def _known(state: turnwise.State, step: int) -> turnwise.State:
    """What the mover knows, with a chance stream that is not the game's."""
    return state.view(state.to_move).with_chance(1000 + step)


def _session(case: Case) -> dict[str, Any]:
    """Several turns of one seat; the others play random actions."""
    state, random = state_of(case.game, case.where), Random(7)
    seat, budget = state.to_move, turnwise.parse_budget(case.budget)
    session = planner_of(case.planner).session(game_of(case.game), seat, case.seed)
    played: list[int | str] = []
    plans: list[dict[str, Any]] = []
    turns = [state.turn]
    while not state.is_over:
        if state.to_move != seat:
            state = state.play(any_action(state, random))
            continue
        if state.turn != turns[-1]:
            turns.append(state.turn)
        if len(turns) > case.turns:
            break
        known = _known(state, len(played))
        code, plan = session.next_action(known, budget)
        if plan is not None:
            plans.append(_plan(known, plan))
        played.append(_action(known, code))
        state = state.play(code)
    return {"played": played, "plans": plans}


def _plan(state: turnwise.State, plan: turnwise.Plan) -> dict[str, Any]:
    """A plan without its wall time and without empty entries."""
    report = plan.report
    found = {
        "codes": list(plan.actions) if _is_plain(state) else [int(code) for code in plan.codes],
        "value": plan.value,
        "forward": report.forward_calls,
        "evaluations": report.evaluations,
        "iterations": report.iterations,
        "searches": report.searches if report.searches != 1 else None,
        "stopped": report.stopped_by,
        "details": {name: _short(value) for name, value in report.details.items()},
        "alternatives": [
            [other.actions[0] if _is_plain(state) else state.code(other.actions[0]), len(other.actions), other.value]
            for other in plan.alternatives
        ],
        "continuation": _shortened([int(code) for code in plan.continuation]),
    }
    return {name: value for name, value in found.items() if value not in (None, [], {})}


def _is_plain(state: turnwise.State) -> bool:
    """Whether a game is in plain Python: its texts identify its actions, codes do not."""
    return isinstance(state.game, turnwise.PythonGame)


def _action(state: turnwise.State, code: int) -> int | str:
    return state.text(code) if _is_plain(state) else int(code)


def _short(value: float) -> float | int:
    """A whole number without its ".0"."""
    whole = repr(float(value)).removesuffix(".0")
    return int(whole) if whole.isdigit() else float(value)


def _shortened(codes: list[int]) -> list[int | str]:
    """A long line as its first codes, their number and a hash of all."""
    if len(codes) <= _SHOWN + 2:
        return list(codes)
    digest = hashlib.blake2b(",".join(map(str, codes)).encode(), digest_size=6).hexdigest()
    return [*codes[:_SHOWN], f"{len(codes)} in all", digest]


def as_text(value: Any) -> str:
    """Plain data as one line of JSON that keeps floats exactly."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def recording(planner: str) -> Path:
    """The file of a planner."""
    return FOLDER / f"{planner}.json"


def versions() -> dict[str, str]:
    """What floats may depend on in addition to the code."""
    found = {name: version(name) for name in ("numba", "llvmlite", "numpy")}
    return {**found, "python": platform.python_version(), "machine": platform.machine()}


def recorded_with() -> dict[str, str]:
    """The versions under which the recordings were made."""
    found: dict[str, str] = json.loads((FOLDER / "recorded_with.json").read_text(encoding="utf-8"))
    return found


def record(planner: str) -> int:
    """Write a planner's file, one case per line; returns the number of cases."""
    lines = sorted(f"{json.dumps(case.key)}: {as_text(outcome(case))}" for case in cases_of(planner))
    recording(planner).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return len(lines)


def main() -> None:
    """Record the given planners, or all."""
    for name in sys.argv[1:] or planners():
        began = time.process_time()
        count = record(name)
        size = recording(name).stat().st_size / 1000
        print(f"{name:22} {count:4} cases {size:6.0f} kB {time.process_time() - began:6.1f} s", flush=True)
    (FOLDER / "recorded_with.json").write_text(json.dumps(versions(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
