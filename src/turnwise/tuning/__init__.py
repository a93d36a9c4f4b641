"""Search for good settings of planners, or of anything with a noisy fitness: NTBEA, random search, TPE.

The public names are those of ``__init__.pyi``. Each is imported when it is first used, so ``import turnwise.tuning`` is
quick.
"""

import lazy_loader as _lazy_loader

__getattr__, __dir__, __all__ = _lazy_loader.attach_stub(__name__, __file__)
