"""How a run ends before its time."""

import signal
import sys

from failure import Failure


def interrupted(number, _):
    if number == signal.SIGALRM:
        raise Failure("the time limit of the whole run is over")
    sys.exit(128 + number)


def clean_up_when_interrupted():
    """Signals, and the alarm of a time limit, become exceptions: processes and files are cleaned up on the way out."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, interrupted)
