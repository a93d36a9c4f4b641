"""Matches, tournaments, their store, their statistics, their workers.

The public names are those of ``__init__.pyi``. Each is imported when it is first used, so ``import turnwise.arena`` is
quick.
"""

import lazy_loader as _lazy_loader

__getattr__, __dir__, __all__ = _lazy_loader.attach_stub(__name__, __file__)
