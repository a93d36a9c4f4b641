# What `turnwise.tuning` exports; see the same file of `turnwise.arena`.

from .estimates import Evaluation as Evaluation
from .landscapes import LANDSCAPES as LANDSCAPES
from .landscapes import CoinFlips as CoinFlips
from .landscapes import landscape_space as landscape_space
from .ntbea import NtbeaSettings as NtbeaSettings
from .run import Tuning as Tuning
from .run import tune as tune
from .space import Parameter as Parameter
from .space import Space as Space
from .space import Subset as Subset
