"""Expressions of scripts: their text form, its parser, and its normal form.

    expression = first(expression,...)              the first one that has an action
               | mix(weight:expression,...)         one of them by chance; the last weight may be left out
               | name | name(parameter=number,...)  a script of the game, or a built-in one

In Python an expression can also be composed of objects, :class:`First`, :class:`Mix` and :class:`Named`, whose ``str``
is the text. They are accepted wherever the text is; their parts can be texts.

:mod:`turnwise.search.scripts` plays them. Which scripts exist depends on the game, so names are looked up there.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from turnwise.core import arguments
from turnwise.core.errors import OptionError, brief
from turnwise.core.script import COMBINING, NAME, ScriptExpression, expression_text

FIRST, MIX = COMBINING
LONGEST_TEXT = 2000
MOST_SCRIPTS = 100  # scripts in one expression
DEEPEST = 20
_SIGNS = frozenset("(),")  # what no name contains
_SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class Named(ScriptExpression):
    """A script with values of its parameters: ``Named("rush", {"share": 0.3})``.

    Attributes:
        name: Its name.
        values: The parameters that are set; they can be given as a dictionary.
        at: Place of the name in the text, from 0; expressions at different places are equal.
    """

    name: str
    values: tuple[tuple[str, float], ...] = ()
    at: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if isinstance(self.values, Mapping):
            object.__setattr__(self, "values", tuple(self.values.items()))

    def __str__(self) -> str:
        """The normal form."""
        values = ",".join(f"{name}={_plain(value)}" for name, value in self.values)
        return f"{self.name}({values})" if values else self.name


@dataclass(frozen=True, slots=True)
class First(ScriptExpression):
    """The first part that has an action: ``First(["attack-best", Named("random")])``.

    Attributes:
        parts: Expressions; they can be given as texts and in a list.
    """

    parts: tuple[Expression, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", _parts(self.parts))

    def __str__(self) -> str:
        """The normal form."""
        return f"{FIRST}({','.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Mix(ScriptExpression):
    """One of the parts, drawn with the weights, which add up to 1; it has no action if the drawn part has none.

    Attributes:
        parts: Expressions; they can be given as texts and in a list.
        weights: One for each part.
    """

    parts: tuple[Expression, ...]
    weights: tuple[float, ...]

    def __post_init__(self) -> None:
        parts, weights = _parts(self.parts), tuple(self.weights)
        if len(weights) != len(parts) or not math.isclose(math.fsum(weights), 1, abs_tol=1e-9):
            raise OptionError(
                f"A mix of {len(parts)} scripts has as many weights, which add up to 1; got {brief(weights)}."
            )
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "weights", weights)

    def __str__(self) -> str:
        """The normal form, in which the last weight is left out."""
        weighted = zip(self.weights, self.parts[:-1], strict=False)
        shown = [*(f"{_plain(weight)}:{part}" for weight, part in weighted), str(self.parts[-1])]
        return f"{MIX}({','.join(shown)})"


Expression = Named | First | Mix


def _parts(parts: Iterable[Expression | str]) -> tuple[Expression, ...]:
    """The parts of an expression, of which some may be texts.

    Raises:
        OptionError: A part is neither an expression nor its text, or it is a text in place of a list.
    """
    if isinstance(parts, str | ScriptExpression):
        raise OptionError(f"The parts of an expression of scripts: expected a list; got {brief(parts)}.")
    return tuple(part if isinstance(part, Named | First | Mix) else parse(part) for part in parts)


def script_text(value: object) -> object:
    """The text that a parameter's value stands for: that of an expression as an object, or of a list of expressions.

    Other values stay as they are, for the parameter's type to refuse them.
    """
    if isinstance(value, list | tuple) and value and all(isinstance(one, str | ScriptExpression) for one in value):
        return ",".join(map(str, value))
    return expression_text(value)


def _plain(value: float) -> str:
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def parse(text: str | ScriptExpression) -> Expression:
    """Parse an expression.

    Raises:
        OptionError: The text is not an expression; the message says where, what was expected and what is there.
    """
    found = parse_list(text)
    if len(found) > 1:
        raise OptionError(
            f"{brief(text)} is a list of {len(found)} expressions; expected one. Combine them, as in "
            f"{FIRST}({','.join(map(str, found))})."
        )
    return found[0]


def parse_list(text: str | ScriptExpression) -> tuple[Expression, ...]:
    """Parse expressions that are separated by commas.

    Raises:
        OptionError: The text is not such a list.
    """
    text = arguments.text(expression_text(text), "An expression of scripts")
    if len(text) > LONGEST_TEXT:
        raise OptionError(
            f"An expression of scripts may have at most {LONGEST_TEXT} characters; got {len(text)}. Register a script "
            "that does what it says (game.register_script)."
        )
    return _Parser(text).whole()


def checked_policy(text: str) -> str:
    """Check the text of a rollout policy as far as that needs no game.

    Args:
        text: The name of a policy or script, or an expression.

    Raises:
        ValueError: It has signs of an expression, but is not one.
    """
    if _SIGNS.intersection(text):
        try:
            parse(text)
        except OptionError as error:
            raise ValueError(str(error)) from None
    return text


def names_of(expression: Expression) -> tuple[Named, ...]:
    """The scripts of an expression, from left to right."""
    if isinstance(expression, Named):
        return (expression,)
    return tuple(name for part in expression.parts for name in names_of(part))


class _Parser:
    """One text and the place up to which it has been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.scripts = 0

    def whole(self) -> tuple[Expression, ...]:
        """The whole text: expressions separated by commas."""
        found = [self.expression(0)]
        while self.takes(","):
            found.append(self.expression(0))
        if self.at < len(self.text):
            self.wrong("',' or the end of the text" if len(found) > 1 or self.scripts else "the end of the text")
        return tuple(found)

    def expression(self, depth: int) -> Expression:
        """``name``, ``name(...)``, ``first(...)`` or ``mix(...)``."""
        if depth > DEEPEST:
            self.wrong(f"at most {DEEPEST} parentheses inside one another")
        self.skip()
        start = self.at
        name = self.name("the name of a script")
        self.skip()
        opens = self.text.startswith("(", self.at)
        if name in (FIRST, MIX):
            if not opens:
                self.wrong(f"'(' after {name!r}, as in {name}(...)")
            self.at += 1
            return self.mix(depth) if name == MIX else First(self.parts(depth))
        self.scripts += 1
        if self.scripts > MOST_SCRIPTS:
            self.at = start
            self.wrong(f"at most {MOST_SCRIPTS} scripts in one expression")
        values = self.values(name) if opens else ()
        return Named(name, values, start)

    def parts(self, depth: int) -> tuple[Expression, ...]:
        """Expressions up to the closing parenthesis."""
        found = [self.expression(depth + 1)]
        while not self.closes():
            found.append(self.expression(depth + 1))
        return tuple(found)

    def mix(self, depth: int) -> Mix:
        """Weighted expressions up to the closing parenthesis."""
        start = self.at
        weights: list[float] = []
        parts: list[Expression] = []
        while True:
            weight = self.weight()
            parts.append(self.expression(depth + 1))
            last = self.closes()
            if weight is None:
                if not last:
                    self.wrong("')': only the last part of mix(...) may be without a weight")
                weight = 1.0 - math.fsum(weights)
                if weight <= 1e-9:
                    self.fail(start, "weights that add up to less than 1, since the last part gets the rest")
                weights.append(weight)
                break
            weights.append(weight)
            if last:
                break
        total = math.fsum(weights)
        if not math.isclose(total, 1.0, abs_tol=1e-9):
            self.fail(start, f"weights that add up to 1, or a last part without a weight; these add up to {total:g}")
        return Mix(tuple(parts), tuple(weights))

    def weight(self) -> float | None:
        """``weight:`` if there is one."""
        self.skip()
        number = _NUMBER.match(self.text, self.at)
        if number is None:
            return None
        value, start = float(number[0]), self.at
        self.at = number.end()
        if not self.takes(":"):
            self.wrong("':' after a weight, as in mix(0.3:one,other)")
        if not 0.0 < value <= 1.0:
            self.fail(start, "a weight above 0 and at most 1")
        return value

    def values(self, script: str) -> tuple[tuple[str, float], ...]:
        """``(parameter=number,...)`` after the name of a script."""
        self.at += 1
        found: dict[str, float] = {}
        while True:
            self.skip()
            start = self.at
            name = self.name(f"a parameter of {script!r}, as in {script}(parameter=1)")
            if not self.takes("="):
                close = difflib.get_close_matches(script, (FIRST, MIX), n=1, cutoff=0.5)
                hint = f" (did you mean {close[0]}(...)? Only {FIRST} and {MIX} combine scripts)" if close else ""
                self.wrong(f"'=' after the parameter {name!r} of the script {script!r}{hint}")
            if name in found:
                self.fail(start, f"each parameter of {script!r} once")
            self.skip()
            number = _NUMBER.match(self.text, self.at)
            if number is None or not math.isfinite(float(number[0])):
                self.wrong(f"a number for {name!r}")
            found[name] = float(number[0])
            self.at = number.end()
            if self.closes():
                return tuple(found.items())

    def name(self, expected: str) -> str:
        """A name."""
        found = NAME.match(self.text, self.at)
        if found is None:
            self.wrong(expected)
        self.at = found.end()
        return found[0]

    def closes(self) -> bool:
        """Whether ')' comes next; otherwise ',' must."""
        if self.takes(")"):
            return True
        if not self.takes(","):
            self.wrong("',' or ')'")
        return False

    def takes(self, sign: str) -> bool:
        """Read a sign if it comes next, and the spaces around it."""
        self.skip()
        if not self.text.startswith(sign, self.at):
            return False
        self.at += 1
        self.skip()
        return True

    def skip(self) -> None:
        """Skip spaces."""
        found = _SPACE.match(self.text, self.at)
        assert found is not None
        self.at = found.end()

    def wrong(self, expected: str) -> NoReturn:
        """Raise the error about what comes next."""
        self.fail(self.at, expected)

    def fail(self, at: int, expected: str) -> NoReturn:
        """Raise an error about a place of the text.

        Raises:
            OptionError: Always.
        """
        rest = self.text[at:]
        came = f"{rest[:20]!r}" if rest else "the end of the text"
        raise OptionError(
            f"Expression {brief(self.text)}, character {at + 1}: expected {expected}; got {came}. Expressions look "
            f"like {FIRST}(one,other) and {MIX}(0.3:one,other)."
        )
