"""Texts of lines of actions, each in the notation of the state that it is played in."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.state import State


class LineTexts:
    """Texts of lines from one state; a beginning that several lines share is played only once."""

    def __init__(self, state: State) -> None:
        self._states: dict[tuple[int, ...], State | None] = {(): state}

    def of(self, codes: Sequence[int]) -> tuple[str, ...]:
        """Texts of actions played one after another, up to the first that chance has made illegal."""
        texts: list[str] = []
        for place, code in enumerate(codes):
            state = self._after(tuple(codes[:place]))
            if state is None:
                break
            texts.append(state.text(code))
        return tuple(texts)

    def _after(self, codes: tuple[int, ...]) -> State | None:
        """The state after actions, all but the last of which have been looked up before; None if that is illegal."""
        if codes not in self._states:
            before = self._states[codes[:-1]]
            self._states[codes] = None if before is None else before.after(codes[-1])
        return self._states[codes]
