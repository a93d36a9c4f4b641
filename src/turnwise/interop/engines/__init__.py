"""Players in other languages: a protocol of JSON lines over pipes, in both directions.

:class:`~turnwise.interop.engines.player.ProcessPlanner` (``process:COMMAND``) lets another program play wherever a
planner can; :func:`~turnwise.interop.engines.loop.serve` is turnwise as such a program. ``docs/reference/engines.md``
describes the messages.
"""
