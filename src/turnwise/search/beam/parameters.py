"""The parameters of a beam search for the best line."""

from __future__ import annotations

from pydantic import Field

from turnwise.search.horizon import HorizonValue
from turnwise.search.memory_limit import MEMORY, MemoryParameters, MemorySize
from turnwise.search.parameters import (
    BUILT_IN_GREEDINESS,
    CANDIDATES,
    LINE_HORIZON,
    ROLLOUT_POLICY,
    CandidateParameters,
    Candidates,
    LineParameters,
    PolicyText,
)


class BeamSearchParameters(MemoryParameters, LineParameters, CandidateParameters):
    """Parameters of every search for the best line by a beam."""

    width: int = Field(
        default=0,
        ge=0,
        le=10_000_000,
        description="maximum number of states in a layer; 0: chosen for each pass so that the passes fill the budget",
    )
    candidates: Candidates = Field(default="all", description=CANDIDATES)
    noise: float = Field(
        default=0.0, ge=0, description="upper limit of a uniform random term in every rating, new in every pass"
    )
    rollouts: int = Field(
        default=0,
        ge=0,
        le=10_000,
        description="number of rollouts whose mean value rates a child; 0: evaluate the child",
    )
    policy: PolicyText = ROLLOUT_POLICY
    greedy_probability: float = BUILT_IN_GREEDINESS
    horizon: HorizonValue = Field(default=1000, description=LINE_HORIZON)
    memory: MemorySize = Field(default=None, description=f"{MEMORY}; it limits the width; empty: 512MiB")
