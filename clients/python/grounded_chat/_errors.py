from __future__ import annotations

from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, List, Mapping, Optional


class GroundedChatError(Exception):
    """Every error of this package."""


class ApiError(GroundedChatError):
    """The service answered with an error."""

    #: HTTP status, or None if the error ended a stream.
    status: Optional[int]
    #: Stable code. Branch on it, not on the message. `UNKNOWN` if the answer is not from the service.
    code: str
    #: One message per invalid field after `VALIDATION_FAILED`, else one message.
    details: List[str]
    #: Id of the request in the log of the service.
    request_id: Optional[str]
    #: Seconds to wait before the next attempt, or None if the service named none.
    retry_after: Optional[float]

    def __init__(
        self,
        *,
        status: Optional[int],
        code: str,
        details: List[str],
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        is_retryable: bool = False,
    ) -> None:
        super().__init__(f"{code}: {'; '.join(details)}")
        self.status = status
        self.code = code
        self.details = details
        self.request_id = request_id
        self.retry_after = retry_after
        #: Whether the same call may succeed later.
        self.is_retryable = is_retryable


class AuthenticationError(ApiError):
    """The API key is missing or invalid (401)."""


class PermissionDeniedError(ApiError):
    """The key may not do this (403)."""


class NotFoundError(ApiError):
    """The object does not exist, or the key may not see it (404)."""


class ConflictError(ApiError):
    """The object is in another state (409)."""


class ValidationError(ApiError):
    """The request is not valid (400 and 422). `details` has a message per field."""


class QuotaExceededError(ApiError):
    """The plan's quota is used up (402)."""


class RateLimitError(ApiError):
    """Too many requests (429)."""


class ServiceError(ApiError):
    """The service failed or is unavailable (500 and above)."""


class ConnectionError(GroundedChatError):
    """The service could not be reached, or the connection was lost."""


class TimeoutError(ConnectionError):
    """The service did not answer in time."""


class StreamInterruptedError(ConnectionError):
    """The stream of an answer was cut and could not be resumed. Resume it later with these values."""

    def __init__(self, message_id: str, after: int) -> None:
        super().__init__("The stream of the answer was interrupted. Resume it with `chat.resume`")
        self.message_id = message_id
        #: `seq` of the last event that was received.
        self.after = after


class WebhookVerificationError(GroundedChatError):
    """The signature of a webhook is wrong, or too old."""


_classes = {
    400: ValidationError,
    401: AuthenticationError,
    402: QuotaExceededError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: ValidationError,
    429: RateLimitError,
}
RETRYABLE_STATUSES = frozenset([408, 429, 500, 502, 503, 504])


def api_error(status: int, headers: Mapping[str, str], body: Any) -> ApiError:
    """Returns the error for a response. `body` is its JSON, or None."""
    fields: Mapping[str, Any] = body if isinstance(body, dict) else {}
    message = fields.get("message", f"The service answered with status {status}")
    error = _classes.get(status, ServiceError if status >= 500 else ApiError)
    return error(
        status=status,
        code=str(fields.get("code", "UNKNOWN")),
        details=[str(text) for text in message] if isinstance(message, list) else [str(message)],
        request_id=headers.get("x-request-id"),
        retry_after=_seconds(headers.get("retry-after")),
        is_retryable=status in RETRYABLE_STATUSES,
    )


def _seconds(value: Optional[str]) -> Optional[float]:
    """Returns the seconds of a `Retry-After`, which is a number or an HTTP date."""
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=timezone.utc)
    return max(0.0, (date - datetime.now(timezone.utc)).total_seconds())
