from __future__ import annotations

import os
import re
from typing import Optional
from urllib.parse import urlsplit


def api_url_of(base_url: str) -> str:
    """Returns the address of the API. `base_url` may end with `/api/v1`. The error does not quote it."""
    url = base_url.rstrip("/")
    if not _is_web_address(url):
        # Without the cause, which can quote the address, and callers can confuse the address and the key.
        raise ValueError("base_url must be an address such as https://chat.example.com, without a user or a query")
    return (url[: -len("/api/v1")] if url.endswith("/api/v1") else url) + "/api/v1"


def _is_web_address(url: str) -> bool:
    if not re.fullmatch(r"[\x21-\x7e]+", url):
        return False
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and has_host and not re.search(r"[?#@]", url)


def key_of_environment() -> Optional[str]:
    # Earlier versions had only the second name.
    return os.environ.get("GROUNDED_CHAT_KEY") or os.environ.get("GROUNDED_CHAT_API_KEY")


def checked_key(api_key: Optional[str]) -> Optional[str]:
    """Refuses a key that cannot be in a header: the error of httpx would quote it."""
    if api_key is not None and not re.fullmatch(r"[\x21-\x7e]*", api_key):
        raise ValueError("api_key must be one line of letters, digits and signs")
    return api_key
