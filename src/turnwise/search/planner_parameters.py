"""The base of planners' parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator
from typing_extensions import TypeVar

from turnwise.core.fields import choices, expected, members
from turnwise.core.spec_text import settings_list

READINGS = frozenset({"as-published", "as-coded"})
"""The two readings of a publication; a planner without presets is the same in both."""


class PlannerParameters(BaseModel):
    """Base of a planner's parameters: frozen; unknown names and numbers that are not finite are refused.

    Numbers may be given as text, as on the command line, but not as True or False, and texts not as bytes. Every field
    has a description and bounds.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _no_other_type(cls, value: object, info: ValidationInfo) -> object:
        """Refuse what pydantic would convert to a number or a text.

        Raises:
            ValueError: The value is of bytes, or is True or False where these have no meaning.
        """
        declared = cls.model_fields[str(info.field_name)]
        takes_bool = bool in members(declared.annotation) or any(
            type(one) is bool for one in choices(declared.annotation)
        )
        if isinstance(value, bytes | bytearray) or (isinstance(value, bool) and not takes_bool):
            wanted = expected(declared.annotation, declared.metadata)
            if wanted:  # types with a reader of their own refuse such values themselves
                raise ValueError(f"expected {wanted}")
        return value


def need_values(
    settings: PlannerParameters, algorithm: str, needed: Mapping[str, object], unused: Iterable[str]
) -> None:
    """Refuse settings that an algorithm does not follow, so that none is ignored silently.

    Args:
        settings: The planner's parameters.
        algorithm: The setting that chooses the algorithm, as ``growth=chains``, of presets as-coded and as-published.
        needed: Parameter -> the only value that it may have.
        unused: Parameters that must keep their defaults.

    Raises:
        ValueError: Some have other values.
    """
    fields = type(settings).model_fields
    needed = {**needed, **{name: fields[name].default for name in unused}}
    others = {name: str(value).lower() for name, value in needed.items() if getattr(settings, name) != value}
    if others:
        raise ValueError(
            f"{algorithm} supports only {settings_list(others)}; leave other values out, or take the preset as-coded "
            "or as-published"
        )


ParametersT_co = TypeVar("ParametersT_co", bound=PlannerParameters, default=PlannerParameters, covariant=True)
"""A planner's own parameters."""
