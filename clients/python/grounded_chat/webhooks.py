from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, Union, cast

from ._errors import WebhookVerificationError
from .types import WebhookEvent

_TOLERANCE = 300


def verify_webhook(
    body: Union[str, bytes], headers: Mapping[str, str], secret: str, *, now: float = 0
) -> WebhookEvent:
    """Returns the event of a webhook. `body` is the raw text of the request, `secret` the `whsec_…` of the endpoint.

    Raises WebhookVerificationError if the signature is wrong, or older than five minutes. `now` is for tests.
    """
    named = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in ("webhook-id", "webhook-timestamp", "webhook-signature") if not named.get(name)]
    if missing:
        raise WebhookVerificationError(f"The header {missing[0]} is missing")
    timestamp = named["webhook-timestamp"]
    if not (timestamp.isascii() and timestamp.isdigit()):
        raise WebhookVerificationError("The timestamp is not a number")
    if abs((now or time.time()) - int(timestamp)) > _TOLERANCE:
        raise WebhookVerificationError("The timestamp is not of the last five minutes")
    raw = body.encode() if isinstance(body, str) else body
    expected = _sign(f"{named['webhook-id']}.{timestamp}.".encode() + raw, secret)
    if not any(_matches(value, expected) for value in named["webhook-signature"].split(" ")):
        raise WebhookVerificationError("The signature is wrong")
    try:
        return cast(WebhookEvent, json.loads(raw))
    except ValueError as error:
        raise WebhookVerificationError("The webhook is not JSON") from error


def _sign(signed: bytes, secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("The secret is not a `whsec_…`") from error
    if not key:
        raise ValueError("The secret is not a `whsec_…`")
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())


def _matches(value: str, expected: bytes) -> bool:
    return value.startswith("v1,") and hmac.compare_digest(value[3:].encode(), expected)
