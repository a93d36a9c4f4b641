"""The order in which the files of a test run are handed out."""

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
LONGEST = (
    "tests/test_matrix.py",
    "tests/planners/test_contract.py",
    "tests/games/tribes/recorded/test_tribes_conformance.py",
    "tests/test_long_turns.py",
    "tests/jit/test_interruption.py",
    "tests/test_docs_pages.py",
    "tests/arena/contest/test_contest.py",
    "tests/studies/oe_2016/test_oe_2016.py",
    "tests/arena/tournament/test_crashes.py",
    "tests/core/test_api_fuzz.py",
    "tests/games/stratega/recorded/test_stratega_conformance.py",
    "tests/jit/test_kept_code.py",
    "tests/viewer/test_viewer_live_tournament.py",
    "tests/test_public_names.py",
    "tests/core/test_wrong_types.py",
    "tests/studies/test_strength_page.py",
)
"""Files that take longest: they come first, so that the processes of a run end at about the same time.

Those from the ninth on have so few tests that they would come near the end otherwise.
"""
