"""Doors to other libraries: games as environments for reinforcement learning.

:mod:`turnwise.interop.gymnasium` has environments for one learner, alone or against planners, and many games at once;
:mod:`turnwise.interop.pettingzoo` has environments for all players. Both need the extra ``rl``.
:mod:`turnwise.interop.openspiel` exchanges games and players with OpenSpiel; it needs the extra ``open-spiel``.
"""
