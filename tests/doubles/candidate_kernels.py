"""What a search considers in its root: all of it, and one action alone."""

from turnwise.jit.kernel import kernel
from turnwise.jit.record import Ints
from turnwise.search import forward_model
from turnwise.search.problem_record import ProblemRecord


@kernel
def list_candidates(p: ProblemRecord, out: Ints) -> int:
    return forward_model.candidates(p, p.root, out)


@kernel
def survives(p: ProblemRecord, action: int, out: Ints) -> bool:
    return forward_model.survives(p, p.root, action, out)
