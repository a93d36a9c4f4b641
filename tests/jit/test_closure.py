"""The key of the compile cache depends on sources, not on what a process has happened to import."""

import subprocess
import sys

import pytest

ASK = "; from turnwise.jit.closure import closure_hash; print(closure_hash('{module}', 'versions'))"


@pytest.mark.parametrize(
    ("module", "others"),
    [
        (
            "turnwise.games.hero_academy.rules.play",
            "turnwise.planners.mcts.planner, turnwise.registry, turnwise.core.state",
        ),
        (
            "turnwise.planners.mcts.planner",
            "turnwise.games.hero_academy.rules.play, turnwise.testing, turnwise.arena.tournament.run",
        ),
    ],
)
def test_the_key_does_not_depend_on_what_is_loaded(module, others):
    first = "import " + module
    keys = set()
    for imports in (first, f"{first}, {others}", f"import {others}, {module}"):
        done = subprocess.run(
            [sys.executable, "-c", imports + ASK.format(module=module)], capture_output=True, text=True, check=True
        )
        keys.add(done.stdout)
    assert len(keys) == 1
    assert len(keys.pop().strip()) == 16


def test_type_checking_imports_and_libraries_play_no_part(tmp_path, monkeypatch):
    from turnwise.jit.closure import closure_files

    (tmp_path / "closure_used.py").write_text("x = 1\n")
    (tmp_path / "closure_typed.py").write_text("x = 1\n")
    (tmp_path / "closure_top.py").write_text(
        "import numpy\nfrom typing import TYPE_CHECKING\nfrom closure_used import x\n"
        "if TYPE_CHECKING:\n    import closure_typed\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert [path.name for path in closure_files("closure_top")] == ["closure_top.py", "closure_used.py"]
