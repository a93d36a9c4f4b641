"""The scripts of one search: what kernels need to play them, and those that propose or weigh candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from turnwise.core.errors import OptionError, brief
from turnwise.core.game import Game
from turnwise.jit.record import Floats, Ints, Word
from turnwise.search.action_groups import places_of_groups
from turnwise.search.named_portfolios import kinds_of, portfolio_of
from turnwise.search.portfolio import (
    FORMS,
    NO_KIND,
    PRUNED,
    Portfolio,
    Without,
    is_among_all,
    is_among_others,
    list_all,
    list_others,
    list_portfolio,
    parse_candidates,
)
from turnwise.search.problem_record import ProblemRecord
from turnwise.search.scripts import ScriptTable, book_of, new_table, play_expression


class SearchScripts:
    """What one search knows of scripts; nothing is made before it asks for one.

    Args:
        game: The scenario.
        record: The record of the search, which receives the addresses of what is used.
    """

    __slots__ = ("_game", "_nodes", "_record", "_table", "_texts")

    def __init__(self, game: Game, record: ProblemRecord) -> None:
        self._game, self._record = game, record
        self._table: ScriptTable | None = None
        self._texts: list[str] = []  # of the scripts that the search chooses its candidates by
        self._nodes = 0  # address of the nodes that the table has

    def expression(self, text: str) -> int:
        """The first node of an expression of scripts, which kernels play (``script_action``, ``scripted``).

        Raises:
            OptionError: The text is not an expression, or sets a parameter that a script does not have.
            UnknownNameError: The game has no script of a name in it.
        """
        first = book_of(self._game).add(self._game, text)
        self.play_all()
        return first

    def play_all(self) -> None:
        """Let kernels play all expressions that have been used with the game so far."""
        book = book_of(self._game)
        if self._table is None:
            self._table = new_table(self._game)
        if self._nodes != book.address:
            self._table.nodes, self._nodes = book.nodes, book.address
        if self._record.scripts == 0:  # also where a later search begins, unless it was known before the first one
            self._record.scripts, self._record.play_expression = self._table.address, Word(play_expression.address)

    def choose(self, text: str) -> None:
        """Consider other actions from now on.

        Args:
            text: See :mod:`turnwise.search.portfolio`.

        Raises:
            OptionError: Not such a text, or an expression with a fault.
            UnknownNameError: The game has no script of a name in it.
        """
        chosen = parse_candidates(text)
        if isinstance(chosen, str):
            if chosen == PRUNED:
                self._list_by(0)
            else:
                self._list_by(list_all.address, is_among_all.address)
            return
        if isinstance(chosen, Without):
            self._leave_out(chosen)
        else:
            self._choose_portfolio(chosen)

    def _leave_out(self, chosen: Without) -> None:
        """Consider all legal actions but those of some groups."""
        self.play_all()  # the table holds the groups, too
        t = self._table
        assert t is not None
        places = np.array(places_of_groups(self._game, list(chosen.groups)), np.int64)
        t.groups, t.group_count = Ints.of(places), len(places)
        self._list_by(list_others.address, is_among_others.address)

    def _choose_portfolio(self, chosen: Portfolio) -> None:
        """Consider the actions of scripts."""
        texts = [str(script) for script in chosen.scripts]
        kinds: Mapping[int, Sequence[str]] = {}
        if chosen.form == "per-kind":
            texts, kinds = portfolio_of(self._game, ""), kinds_of(self._game, chosen.kinds)
        nodes, size = [self.expression(text) for text in texts], len(texts)
        begin = np.full(max(kinds, default=-1) + 1, NO_KIND, np.int64)
        for kind, scripts in kinds.items():
            begin[kind] = len(nodes)
            nodes += [len(scripts), *map(self.expression, scripts)]
            texts += ["", *scripts]
        self._texts = texts
        self.play_all()
        t = self._table
        assert t is not None
        t.portfolio, t.size = Ints.of(np.array(nodes, np.int64)), size
        t.kind_begin, t.kinds = Ints.of(begin), len(begin)
        t.form, t.unrestricted = FORMS.index(chosen.form), chosen.unrestricted
        self._list_by(list_portfolio.address)

    def _list_by(self, lists: int, decides: int = 0) -> None:
        """List candidates by one function; where the game lists whatever is legal, another one decides on an action."""
        self._record.list_candidates = Word(lists)
        self._record.is_candidate = Word(decides if self._record.lists_all else 0)

    def weigh(self, weights: Mapping[str, float], usual: float) -> None:
        """Let lists of the scripts' candidates have votes: the sum of the weights of the scripts that choose an action.

        Args:
            weights: Expression in its normal form -> weight.
            usual: Weight of all other scripts; an action that no script has chosen has half of it.

        Raises:
            OptionError: A weight is given for an expression that the search does not use.
        """
        unknown = [text for text in weights if text not in self._texts]
        if unknown:
            raise OptionError(
                f"There is a weight for {brief(unknown[0])}, which is no script of this search; its scripts are "
                f"{', '.join(dict.fromkeys(filter(None, self._texts)))}."
            )
        t = self._table
        assert t is not None
        t.weights = Floats.of(np.array([weights.get(text, usual) for text in self._texts]))
        t.votes = Floats.of(np.zeros(self._game.max_actions))
        t.weighted, t.unweighted = 1, 0.5 * usual
