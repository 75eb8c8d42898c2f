from __future__ import annotations

import json
from typing import Any, Iterator


class EventParser:
    """Reads server-sent events from bytes that arrive in parts. Splits lines at LF and CRLF only."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, part: bytes) -> Iterator[Any]:
        """Returns the JSON of each event that is now complete."""
        *frames, self._rest = (self._rest + part).replace(b"\r\n", b"\n").split(b"\n\n")
        for frame in frames:
            lines = [line[5:] for line in frame.split(b"\n") if line.startswith(b"data:")]
            if lines:
                yield json.loads(b"\n".join(lines))
