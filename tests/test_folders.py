"""The folders of the tests mirror those of the sources."""

from pathlib import Path

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "turnwise"
NO_MIRROR = {"data", "doubles", "golden", "twins"}
"""Folders of ``tests`` that serve all tests: recorded play, what tests share, golden plans."""


def packages(source: Path) -> set[str]:
    """All packages below a folder, as paths relative to it."""
    return {str(file.parent.relative_to(source)) for file in source.rglob("*/__init__.py")}


def folders(tests: Path) -> set[str]:
    """All folders that hold a test file, directly or further below, as paths relative to ``tests``."""
    found = {parent for file in tests.rglob("test_*.py") for parent in file.relative_to(tests).parents}
    return {str(folder) for folder in found if folder.parts and folder.parts[0] not in NO_MIRROR}


def test_every_package_has_a_folder_of_tests():
    assert packages(SOURCE) - folders(TESTS) == set()


def test_every_folder_of_tests_belongs_to_a_package():
    assert folders(TESTS) - packages(SOURCE) == set()


def test_what_has_no_counterpart_is_noticed(tmp_path):
    for name in ("source/games/chess/rules/__init__.py", "source/games/chess/__init__.py", "source/games/data/a.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    for name in ("tests/games/chess/test_chess.py", "tests/cards/deep/test_cards.py", "tests/doubles/test_a.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert packages(tmp_path / "source") == {"games/chess", "games/chess/rules"}
    assert folders(tmp_path / "tests") == {"games", "games/chess", "cards", "cards/deep"}
