"""SameGame as planners, arena and command line know it: its class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from turnwise.core.game import Evaluation, Game, GameOptions, Row
from turnwise.games.samegame.files import FILES
from turnwise.games.samegame.scenario import SameGameOptions, build_setup
from turnwise.games.samegame.state import COLOURS, MOST_REGIONS, SIDE, SameGameState

if TYPE_CHECKING:
    from turnwise.core.bench import Programme
    from turnwise.core.click_area import ClickArea
    from turnwise.core.conformance import ConformanceReader
    from turnwise.core.contest import ContestProtocol
    from turnwise.jit.kernel import Entry


class SameGame(Game):
    """Remove regions of equal colour from a board; large regions score many points, an empty board 1000.

    Options: see :class:`~turnwise.games.samegame.scenario.SameGameOptions`. One turn is one action.
    """

    name: ClassVar[str] = "samegame"
    title: ClassVar[str] = "SameGame"
    rules_version = "1"
    Options: ClassVar[type[GameOptions]] = SameGameOptions
    options: SameGameOptions

    players = 1
    files = FILES
    max_actions = MOST_REGIONS
    max_turn = 1
    turn_word = ""  # the numbers of turns are those of empty cells
    scratch_words = 1
    state_words = SameGameState.dtype.itemsize // 8
    policies = (
        "tabu-colour",  # fixed at the start of the rollout: the thesis
        "tabu-colour-recomputed",  # chosen again at every move
        "tabu-colour-last",  # a region that holds all that is left of the tabu colour is allowed
        "tabu-colour-pairs",  # regions of two cells are allowed
        "tabu-colour-late-pairs",  # the same from the eleventh move of the game on
        "tabu-colour-noisy",  # now and then a uniform move instead (Schadd's text)
        *(f"tabu-{colour}" for colour in range(COLOURS)),  # this colour on any board
    )
    metrics = ("score", "cells left", "moves")
    indices = SIDE * SIDE
    feature_shape = (COLOURS + 2, SIDE, SIDE)
    default_evaluation = "score"
    objective = "score"

    def __init__(self, /, **options: Any) -> None:
        """See :meth:`Game.__init__`."""
        super().__init__(**options)
        self.setup = build_setup(self.options)

    def functions(self) -> Mapping[str, Entry | int]:
        """See :meth:`Game.functions`."""
        from turnwise.games.samegame import features, scripts
        from turnwise.games.samegame.rules import moves
        from turnwise.games.samegame.rules import play as rules

        return {
            "start": rules.start,
            "legal_actions": rules.legal_actions,
            "is_legal": rules.is_legal,
            "apply": rules.apply,
            "to_move": rules.to_move,
            "turn": rules.turn,
            "returns": rules.returns,
            "fingerprint": rules.fingerprint,
            "action_score": moves.action_score,
            "nearest": moves.nearest,
            "canonical": moves.canonical,
            "neighbour_action": moves.neighbour_action,
            "move_code": moves.move_code,
            "move_codes": moves.move_codes,
            "prior_logit": scripts.prior_logit,
            "policy": scripts.policy,
            "index": features.index,
            "features": features.features,
            "metrics": rules.metrics,
        }

    def evaluations(self) -> Mapping[str, Evaluation]:
        """See :meth:`Game.evaluations`."""
        from turnwise.games.samegame.evaluation import evaluations_for

        return evaluations_for(self.options.start_board, self.options.end_penalty)

    def return_bounds(self) -> tuple[float, float]:
        """See :meth:`Game.return_bounds`: those of the evaluation by score, in points."""
        from turnwise.games.samegame.evaluation import SCALE

        score = self.evaluation("score")[1]
        return score.low * SCALE, score.high * SCALE

    def action_text(self, row: Row, action: int) -> str:
        """See :meth:`Game.action_text`: column and row of the region's canonical cell, or of any other cell."""
        from turnwise.games.samegame import notation

        return notation.action_text(action)

    def parse_action(self, row: Row, text: str) -> int:
        """See :meth:`Game.parse_action`."""
        from turnwise.games.samegame import notation

        return notation.parse_action(text)

    def state_dict(self, row: Row) -> dict[str, Any]:
        """See :meth:`Game.state_dict`."""
        from turnwise.games.samegame import notation

        return notation.state_dict(row)

    def state_row(self, data: Mapping[str, Any]) -> Row:
        """See :meth:`Game.state_row`."""
        from turnwise.games.samegame import notation

        return notation.state_row(data)

    def state_dict_like(self, row: Row, recorded: Mapping[str, Any]) -> dict[str, Any]:
        """See :meth:`Game.state_dict_like`."""
        from turnwise.games.samegame import notation

        return notation.state_dict(row) if "moves" in recorded else notation.engine_dict(row)

    def objective_of(self, value: float, evaluation: str) -> float | None:
        """See :meth:`Game.objective_of`: the score, unless a penalty hides it."""
        from turnwise.games.samegame.evaluation import SCALE

        is_known = evaluation == "score" and self.options.end_penalty == "none"
        return float(round(value * SCALE)) if is_known else None

    @classmethod
    def contest(cls, **options: Any) -> ContestProtocol:
        """See :meth:`Game.contest`."""
        from turnwise.games.samegame.contest import SameGameProtocol

        return SameGameProtocol(cls, **options)

    @classmethod
    def bench(cls) -> Programme:
        """See :meth:`Game.bench`."""
        from turnwise.games.samegame.bench import PROGRAMME

        return PROGRAMME

    @classmethod
    def conformance(cls) -> ConformanceReader:
        """See :meth:`Game.conformance`."""
        from turnwise.games.samegame.recorded.reader import SameGameReader

        return SameGameReader(cls)

    def board_text(self, row: Row) -> str:
        """See :meth:`Game.board_text`."""
        from turnwise.games.samegame.view.text import text_board

        return text_board(self.state_dict(row))

    def rules_text(self) -> str:
        """See :meth:`Game.rules_text`."""
        from turnwise.games.samegame.view.guide import RULES

        return RULES

    def legend_text(self, row: Row) -> str:
        """See :meth:`Game.legend_text`."""
        from turnwise.games.samegame.view.text import legend

        return legend()

    def svg(self, row: Row, last_action: str | None = None) -> str:
        """See :meth:`Game.svg`."""
        from turnwise.games.samegame.view.svg import draw

        return draw(self.state_dict(row), last_action=last_action)

    def click_areas(self, row: Row) -> Mapping[str, Sequence[ClickArea]]:
        """See :meth:`Game.click_areas`."""
        from turnwise.core.state import State
        from turnwise.games.samegame.view.clicks import areas

        return areas(self.state_dict(row), State(self, row).legal_actions())

    def click_path(self, row: Row, action: int) -> tuple[str, ...]:
        """See :meth:`Game.click_path`."""
        return (self.action_text(row, action),)

    def ending_text(self, row: Row) -> str:
        """See :meth:`Game.ending_text`."""
        return "cleared" if not any(self.state_dict(row)["counts"]) else "no region left"
