"""Exit codes.

===  ==========================================================================================
0    success
1    ``verify`` found mismatches, ``check`` failures, ``compare`` or ``curve`` games that errors ended; or the reader of
     the output closed it
2    an argument or a file is invalid (one clear message says what is wrong)
70   a bug: an unexpected error (``TURNWISE_DEBUG=1`` shows where)
130  Ctrl-C; finished work is kept
===  ==========================================================================================
"""

DONE, BROKEN_PIPE, WRONG_INPUT, BUG, INTERRUPTED = 0, 1, 2, 70, 130
FAULTS_FOUND = 1
