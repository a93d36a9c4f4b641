"""Checks of notation, JSON, fingerprints and drawings."""

from __future__ import annotations

import json
from collections import defaultdict
from xml.etree import ElementTree

import numpy as np

from turnwise.core import returned
from turnwise.core.errors import NotationError, TurnwiseError
from turnwise.core.state import State
from turnwise.testing.checks.failures import Broken
from turnwise.testing.checks.sample import StateSample, text_of

_RARE = 0.001  # largest share of states that may share a fingerprint with a different state
_NONSENSE = "\x00 no such action \x00"


def action_texts(sample: StateSample) -> None:
    """Every legal action has a unique text that reads back to it."""
    for state in sample.running:
        codes = state.legal_codes().tolist()
        texts: dict[str, int] = {}
        for code in codes:
            text = state.text(code)
            if text in texts:
                raise Broken("two legal actions have the same text", state, text)
            texts[text] = code
            try:
                back = state.code(text)
            except NotationError as error:
                raise Broken(f"an action's text cannot be read back: {error}", state, text) from error
            if back != code:
                raise Broken(f"an action's text reads back as {text_of(state, back)!r}", state, text)
        try:
            state.code(_NONSENSE)
        except NotationError:
            continue
        raise Broken("a text that is not an action was read without a NotationError", state, _NONSENSE)


def state_forms(sample: StateSample) -> None:
    """A state's JSON form is plain JSON and reads back to an equal state with the same answers."""
    twin = sample.twin()
    for state in sample.states:
        data = state.to_dict()
        try:
            plain = json.loads(json.dumps(data, allow_nan=False))
        except (TypeError, ValueError) as error:
            raise Broken(f"the JSON form is not plain JSON: {error}") from error
        for game in (sample.game, twin):
            try:
                back = game.from_dict(plain)
            except TurnwiseError as error:
                raise Broken(f"the JSON form cannot be read back: {error}", state) from error
            _check_equal(state, back)


def _check_equal(state: State, back: State) -> None:
    questions = {
        "JSON form": (json.dumps(state.to_dict()), json.dumps(back.to_dict())),
        "to_move": (state.to_move, back.to_move),
        "turn": (state.turn, back.turn),
        "legal list": (state.legal_actions(), back.legal_actions()),
        "returns": (state.returns, back.returns),
        "fingerprint": (state.fingerprint, back.fingerprint),
    }
    for name, (before, after) in questions.items():
        if before != after:
            raise Broken(f"after a JSON round trip the {name} is {after!r:.300}, before {before!r:.300}", state)


def scenarios(sample: StateSample) -> None:
    """The options determine the scenario: a game made of them has the same specification, sizes and starts."""
    game, twin = sample.game, sample.twin()
    for name in ("spec", "players", "max_actions", "max_turn"):
        if getattr(game, name) != getattr(twin, name):
            message = f"a game made of the options {game.options!r:.300} has {name} = {getattr(twin, name)!r:.300}, "
            raise Broken(f"{message}not {getattr(game, name)!r:.300}: options must hold all of the scenario")
    for seed in range(3):
        first, other = (json.dumps(each.start(seed).to_dict()) for each in (game, twin))
        if first != other:
            raise Broken(f"a game made of the same options begins differently with seed {seed}", game.start(seed))


def equal_forms(sample: StateSample) -> None:
    """A state's JSON form gives its row back word for word, so states of equal forms have equal rows.

    Rows that only their own game object can read (games in plain Python) are not compared.
    """
    if not sample.game.shares_rows(sample.twin()):
        return
    for state in sample.states:
        row, back = state.row, sample.game.state_row(state.to_dict())
        if not np.array_equal(row, back):
            word = int(np.flatnonzero(row != back)[0])
            raise Broken(
                f"the JSON form does not hold the whole state: word {word} of the row is {row[word]}, but "
                f"{back[word]} after reading the form back. Put what this word holds into the form, or leave it out of "
                "the row",
                state,
            )


def damaged_states(sample: StateSample) -> None:
    """A JSON form with a missing or an extra field is refused with a NotationError, unless it is an earlier form.

    An earlier version of the form may be read; then ``state_dict_like`` writes exactly that form.
    """
    state = sample.states[-1]
    data = state.to_dict()
    damaged = {f"without {key!r}": {k: v for k, v in data.items() if k != key} for key in data}
    damaged["that is empty"] = {}
    damaged["with an unknown field"] = {**data, "no such field": 0}
    for what, form in damaged.items():
        try:
            read = sample.game.from_dict(form)
            if sample.game.state_dict_like(read.row, form) == form:
                continue
        except NotationError:
            continue
        except Exception as error:
            message = f"a JSON form {what} raises {type(error).__name__} ({error}) instead of a NotationError"
            raise Broken(message, state) from error
        raise Broken(f"a JSON form {what} is read without a NotationError", state)


def fingerprints(sample: StateSample) -> None:
    """Equal states have equal fingerprints, different states almost never."""
    forms: dict[str, int] = {}
    holders: dict[int, set[str]] = defaultdict(set)
    for played in sample.games:
        for state in played.states:
            form = json.dumps(state.to_dict(), sort_keys=True)
            known = forms.setdefault(form, state.fingerprint)
            if known != state.fingerprint:
                raise Broken(f"equal states have fingerprints {known} and {state.fingerprint}", state)
            holders[state.fingerprint].add(form)
    shared = [group for group in holders.values() if len(group) > 1]
    if sum(len(group) - 1 for group in shared) > _RARE * len(forms):
        one, other = sorted(shared[0])[:2]
        raise Broken(
            f"{len(shared)} fingerprints are shared by different states ({len(forms)} in all), for example {one} and "
            f"{other}"
        )


def explanations(sample: StateSample) -> None:
    """What ``turnwise play`` explains (rules, legend, the subjects of actions) is text."""
    game = sample.game
    returned.text(game, "rules_text")
    for state in sample.states:
        returned.text(game, "legend_text", state.row)
    for state in sample.running:
        for word in state.legal_actions()[0].replace(">", " ").split():
            returned.text(game, "info_text", state.row, word)


def drawings(sample: StateSample) -> None:
    """The board as text is not empty, and the SVG is well-formed XML with an svg root."""
    for state in sample.states:
        if not str(state).strip():
            raise Broken("the board text is empty", state)
        svg = state._repr_svg_()
        try:
            root = ElementTree.fromstring(svg)
        except ElementTree.ParseError as error:
            raise Broken(f"the SVG is not well-formed XML: {error}", state) from error
        if root.tag != "{http://www.w3.org/2000/svg}svg":
            raise Broken(f"the SVG's root is {root.tag!r}; expected svg in its namespace", state)
