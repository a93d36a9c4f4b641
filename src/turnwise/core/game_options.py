"""The options of a game's scenario: how they are checked, and the texts that name the scenario by them."""

from __future__ import annotations

from typing import Any, ClassVar, Self, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from turnwise.core.errors import OptionError
from turnwise.core.fields import validation_message
from turnwise.core.scenario_file import AS_LABELS, AS_RECORDED
from turnwise.core.set_by_init import SetByInit
from turnwise.core.spec_text import settings_text
from turnwise.core.user_classes import refuse_unfinished


class GameOptions(BaseModel):
    """Base of a game's scenario options: frozen; unknown names and numbers that are not finite are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Configured:
    """A game with the options of one scenario.

    Attributes:
        name: Registry name, for example "hero-academy".
        is_named_by_class: Whether the name follows from the class's; a registry may then give it another one.
        Options: The scenario options as a pydantic model.
        options: This scenario's options.
    """

    name: ClassVar[str]
    is_named_by_class: ClassVar[bool] = False
    Options: ClassVar[type[GameOptions]]

    options: GameOptions = cast(GameOptions, SetByInit())

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Make a game of a complete class.

        Raises:
            OptionError: The class lacks methods.
        """
        refuse_unfinished(cls, "game")
        return super().__new__(cls)

    def __init__(self, /, **options: Any) -> None:
        """Check the options of a scenario; a subclass calls it first and works out the rest from ``self.options``.

        Args:
            **options: Scenario options, see ``Options``.

        Raises:
            OptionError: An unknown option or an impossible value.
        """
        self.options = self.read_options(**options)

    @classmethod
    def read_options(cls, /, **options: Any) -> GameOptions:
        """Check scenario options.

        Raises:
            OptionError: An option is unknown or has an invalid value; the message lists what is possible.
        """
        try:
            return cls.Options(**options)
        except ValidationError as error:
            raise OptionError(validation_message(f"{cls.name} scenario", cls.Options, error)) from None

    def changed_options(self) -> dict[str, Any]:
        """The options that differ from the defaults, as plain values."""
        return self.options.model_dump(mode="json", exclude_defaults=True)

    @property
    def spec(self) -> str:
        """Name and options that differ from the defaults; :func:`turnwise.make` reads it back.

        Contents of scenario files appear as labels, which only a game's own ones can be made from: see
        :attr:`full_spec`.
        """
        return settings_text(self.name, self.labelled_options())

    @property
    def recorded_spec(self) -> str:
        """The ``spec`` from which keys and seeds of recorded games follow: names in it come from contents alone."""
        return settings_text(
            self.name, self.options.model_dump(mode="json", exclude_defaults=True, context=AS_RECORDED)
        )

    @property
    def full_spec(self) -> str:
        """The ``spec`` with the contents of scenario files; :func:`turnwise.make` reads it back in any process."""
        return settings_text(self.name, self.changed_options())

    def labelled_options(self) -> dict[str, Any]:
        """The options that differ from the defaults, with labels instead of the contents of scenario files."""
        return self.options.model_dump(mode="json", exclude_defaults=True, context=AS_LABELS)

    def __repr__(self) -> str:
        return f"turnwise.make({self.spec!r})"
