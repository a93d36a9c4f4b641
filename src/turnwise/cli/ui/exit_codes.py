"""How a command can end, as a number.

===  ==========================================================================================
0    done
1    ``verify`` and ``perft`` found mismatches; or the reader of our output went away
2    something in the arguments or in a file is not as it should be (one clear message says what)
70   a bug: something unexpected happened (``TURNWISE_DEBUG=1`` shows where)
130  Ctrl-C; what was finished is kept
===  ==========================================================================================
"""

DONE, BROKEN_PIPE, WRONG_INPUT, BUG, INTERRUPTED = 0, 1, 2, 70, 130
