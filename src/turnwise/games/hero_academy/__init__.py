"""Hero Academy (Council against Council), the test bed of *Online Evolution for Multi-Action Adversarial Games*.

The class is imported when it is first used: settings and first answers load without numba and NumPy.
"""

import lazy_loader as _lazy_loader

__getattr__, __dir__, __all__ = _lazy_loader.attach_stub(__name__, __file__)
