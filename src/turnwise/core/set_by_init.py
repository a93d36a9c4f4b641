"""Attributes that the ``__init__`` of a base class sets."""

from __future__ import annotations

from turnwise.core.errors import OptionError


class NotSetError(OptionError, AttributeError):
    """An attribute was read before ``__init__`` of the base has set it; ``hasattr`` is False."""


class SetByInit:
    """Stands for an attribute until ``__init__`` of the base has set it; until then reading it is a clear error."""

    def __set_name__(self, owner: type, name: str) -> None:
        """Remember the attribute's name."""
        self._name = name

    def __get__(self, instance: object, owner: type) -> SetByInit:
        """Refuse the attribute of an object, which has none yet; of the class it is this object.

        Raises:
            NotSetError: ``__init__`` of the base has not been called.
        """
        if instance is None:
            return self
        raise NotSetError(
            f"{owner.__name__} has no {self._name} yet: its __init__ does not call that of its base class, or reads "
            f"{self._name} before. Begin it with super().__init__(**{self._name}), after "
            f"def __init__(self, **{self._name}):."
        )
