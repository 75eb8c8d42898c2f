from __future__ import annotations

from typing import Optional

from ._errors import ConnectionError
from ._requests import backoff, retry_delay

#: How long an answer may bring no event, in seconds. The service sends nothing while a model thinks, and by default gives it
#: three minutes.
LONGEST_SILENCE = 300.0


class SilenceError(ConnectionError):
    """The connection is open, but has sent nothing for the timeout."""


class StreamRecovery:
    """Decides whether a stream gets a further connection, and after how many seconds.

    The failures of connections and of requests count together, and an event makes up for them. Silence is no failure.
    """

    def __init__(self, *, is_resumable: bool, max_retries: int) -> None:
        self._is_resumable = is_resumable
        self._max_retries = max_retries
        self._failures = 0
        self._silence = 0.0

    def delay_after(self, error: Exception, *, had_events: bool, duration: float) -> Optional[float]:
        """Returns the seconds to wait, or None if there should be no further connection."""
        if had_events:
            self._failures = 0
        self._silence = 0.0 if had_events else self._silence + duration
        if isinstance(error, SilenceError) and self._is_resumable:
            return backoff(1) if self._silence < LONGEST_SILENCE else None
        self._failures += 1
        return retry_delay(
            error, self._failures, self._max_retries, is_repeatable=self._is_resumable
        )
