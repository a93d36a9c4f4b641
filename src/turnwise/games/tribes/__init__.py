"""Tribes: an economy, technologies, units and cities on a map, after the Tribes framework.

The class is imported when it is first used: settings load without numba and NumPy.
"""

import lazy_loader as _lazy_loader

__getattr__, __dir__, __all__ = _lazy_loader.attach_stub(__name__, __file__)
