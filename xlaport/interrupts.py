"""What an interrupt (Ctrl-C) or the end of a job (SIGTERM, SIGHUP) does to a conversion: it ends it in one line."""

from __future__ import annotations

import signal
from types import FrameType


class Interrupted(BaseException):
    """The run is to end, by the signal of this number. Not an `Exception`: nothing else has to do with it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def exit_code(self) -> int:
        """The exit code by which shells know it."""
        return 128 + self.number


def listen() -> None:
    """From now on, raise `Interrupted` where a signal asks for the end, so that what is open is cleared away."""
    for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks for
            signal.signal(number, _raise)


def _raise(number: int, frame: FrameType | None) -> None:
    raise Interrupted(number)
