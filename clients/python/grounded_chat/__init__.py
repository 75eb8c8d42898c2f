"""Client of the REST API of grounded-chat."""

from . import types
from ._async.client import AsyncClient
from ._async.pages import AsyncPages
from ._async.stream import AsyncChatStream, ChatEvent
from ._errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    ConnectionError,
    GroundedChatError,
    NotFoundError,
    PermissionDeniedError,
    QuotaExceededError,
    RateLimitError,
    ServiceError,
    StreamInterruptedError,
    TimeoutError,
    ValidationError,
    WebhookVerificationError,
)
from ._requests import NOT_GIVEN, Options
from ._sync.client import Client
from ._sync.pages import Pages
from ._sync.stream import ChatStream
from .webhooks import verify_webhook

__version__ = "0.1.0"

__all__ = [
    "NOT_GIVEN",
    "ApiError",
    "AsyncChatStream",
    "AsyncClient",
    "AsyncPages",
    "AuthenticationError",
    "ChatEvent",
    "ChatStream",
    "Client",
    "ConflictError",
    "ConnectionError",
    "GroundedChatError",
    "NotFoundError",
    "Options",
    "Pages",
    "PermissionDeniedError",
    "QuotaExceededError",
    "RateLimitError",
    "ServiceError",
    "StreamInterruptedError",
    "TimeoutError",
    "ValidationError",
    "WebhookVerificationError",
    "types",
    "verify_webhook",
]
