"""What needs no service."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
import traceback
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Dict

import httpx
import pytest

from grounded_chat import (
    ApiError,
    Client,
    ConnectionError,
    Options,
    RateLimitError,
    ServiceError,
    WebhookVerificationError,
    verify_webhook,
)
from grounded_chat._events import EventParser


def test_events_are_read_whatever_the_parts() -> None:
    texts = ["a", "„bis“ 11 Uhr 🧳", "line\u2028separator\x85", "\n"]
    stream = ": ping\n\n" + "".join(
        f"id: {n}\nevent: delta\ndata: {json.dumps({'text': text}, ensure_ascii=False)}\n\n" for n, text in enumerate(texts)
    )
    for encoded in (stream.encode(), stream.replace("\n\n", "\r\n\r\n").encode()):
        for size in (1, 2, 3, 7, 1000):
            parser = EventParser()
            parts = (encoded[at : at + size] for at in range(0, len(encoded), size))
            assert [event["text"] for part in parts for event in parser.feed(part)] == texts


SECRET = "whsec_" + base64.b64encode(b"a key of the tests").decode()


def signed(body: str, timestamp: float, secret: str = SECRET) -> Dict[str, str]:
    message = f"msg_1.{int(timestamp)}.{body}".encode()
    digest = hmac.new(base64.b64decode(secret[6:]), message, hashlib.sha256).digest()
    return {
        "Webhook-Id": "msg_1",
        "Webhook-Timestamp": str(int(timestamp)),
        "Webhook-Signature": "v1,b2xk v1," + base64.b64encode(digest).decode(),
    }


def test_webhooks_are_verified() -> None:
    body = '{"type": "human.requested", "data": {}}'
    now = time.time()
    assert verify_webhook(body, signed(body, now), SECRET)["type"] == "human.requested"
    assert verify_webhook(body.encode(), signed(body, now), SECRET)["type"] == "human.requested"
    test = '{"type": "webhook.test", "timestamp": "…", "data": {"projectId": "p1", "endpointId": "e1"}}'
    event = verify_webhook(test, signed(test, now), SECRET)
    assert event["type"] == "webhook.test" and event["data"]["endpointId"] == "e1"
    other = "whsec_" + base64.b64encode(b"another key").decode()
    refused = [
        (body + " ", signed(body, now)),
        (body, signed(body, now - 301)),
        (body, signed(body, now + 301)),
        (body, signed(body, now, other)),
        (body, {**signed(body, now), "Webhook-Signature": "v1,"}),
        (body, {**signed(body, now), "Webhook-Timestamp": "now"}),
        (body, {}),
        ("no json", signed("no json", now)),
    ]
    for text, headers in refused:
        with pytest.raises(WebhookVerificationError):
            verify_webhook(text, headers, SECRET)
    with pytest.raises(ValueError):
        verify_webhook(body, signed(body, now), "whsec_")


def client_of(*responses: object, max_retries: int = 3) -> "tuple[Client, list[httpx.Request]]":
    """A client whose requests get these responses, in order."""
    requests: "list[httpx.Request]" = []
    left = list(responses)

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        response = left.pop(0)
        if isinstance(response, Exception):
            raise response
        assert isinstance(response, httpx.Response)
        return response

    http = httpx.Client(transport=httpx.MockTransport(answer))
    return Client("http://service", "sk_x", http_client=http, max_retries=max_retries), requests


def refusal(status: int, code: str, **headers: str) -> httpx.Response:
    body = {"statusCode": status, "code": code, "message": "No"}
    return httpx.Response(status, json=body, headers={**headers, "x-request-id": "r1"})


def test_a_request_is_repeated_with_the_same_idempotency_key() -> None:
    document = httpx.Response(201, json={"id": "d1"})
    client, requests = client_of(httpx.ReadError("cut"), refusal(409, "IDEMPOTENCY_KEY_IN_USE"), document)
    assert client.documents.create(name="a", content="b")["id"] == "d1"
    assert len({request.headers["idempotency-key"] for request in requests}) == 1
    assert [request.content for request in requests] == [requests[0].content] * 3


def test_what_may_not_be_repeated_is_not() -> None:
    client, requests = client_of(httpx.ReadError("cut"))
    with pytest.raises(ConnectionError):
        client.sources.sync("01980a3c-7d52-7c3a-9d0e-5b2f6f1f8a11")
    assert len(requests) == 1
    client, requests = client_of(refusal(402, "QUOTA_EXCEEDED"))
    with pytest.raises(ApiError):
        client.search(query="a")
    assert len(requests) == 1


def test_errors_after_the_last_attempt() -> None:
    client, _ = client_of(refusal(429, "RATE_LIMITED", **{"retry-after": "61"}))
    with pytest.raises(RateLimitError) as limited:
        client.usage()
    assert (limited.value.retry_after, limited.value.is_retryable) == (61, True)
    client, requests = client_of(refusal(503, "UNAVAILABLE"), httpx.Response(502, text="<html>"), max_retries=1)
    with pytest.raises(ServiceError) as failed:
        client.usage()
    assert (failed.value.status, failed.value.code, len(requests)) == (502, "UNKNOWN", 2)


def test_retry_after_is_a_number_or_a_date() -> None:
    for value, least, most in [
        ("61", 61, 61),
        (format_datetime(datetime.now(timezone.utc) + timedelta(minutes=5), usegmt=True), 240, 300),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0, 0),
    ]:
        client, _ = client_of(refusal(429, "RATE_LIMITED", **{"retry-after": value}), max_retries=0)
        with pytest.raises(RateLimitError) as limited:
            client.usage()
        assert limited.value.retry_after is not None
        assert least <= limited.value.retry_after <= most
    for value in ("soon", "-1", "1e9", ""):
        client, _ = client_of(refusal(429, "RATE_LIMITED", **{"retry-after": value}), max_retries=0)
        with pytest.raises(RateLimitError) as limited:
            client.usage()
        assert limited.value.retry_after is None


def test_a_list_has_no_entry_twice() -> None:
    def page(*ids: str, has_more: bool) -> httpx.Response:
        return httpx.Response(200, json={"data": [{"id": one} for one in ids], "hasMore": has_more})

    # A new entry moved `b` to the second page.
    client, requests = client_of(page("a", "b", has_more=True), page("b", "c", has_more=True), page("d", has_more=False))
    assert [document["id"] for document in client.documents.list(limit=2)] == ["a", "b", "c", "d"]
    assert [request.url.params["page"] for request in requests] == ["1", "2", "3"]


def test_ids_cannot_lead_to_another_operation() -> None:
    client, requests = client_of(httpx.Response(200, json={}))
    for value in ("", "..", "."):
        with pytest.raises(ValueError):
            client.documents.get(value)
    client.documents.get("a/../b?c")
    assert requests[0].url.raw_path == b"/api/v1/knowledge/documents/a%2F..%2Fb%3Fc"


def test_an_org_wide_key_names_its_project() -> None:
    http = httpx.Client(transport=httpx.MockTransport(lambda request: httpx.Response(200, json={"at": str(request.url), "body": request.content.decode()})))
    client = Client("http://service/", "sk_x", project_id="p1", http_client=http)
    assert dict(client.usage())["at"] == "http://service/api/v1/usage?projectId=p1"
    assert json.loads(str(dict(client.search(query="a"))["body"])) == {"query": "a", "projectId": "p1"}
    options = Options(idempotency_key="k")
    assert json.loads(str(dict(client.documents.update("d", source_url=None, options=options))["body"])) == {
        "sourceUrl": None,
        "projectId": "p1",
    }


def test_the_address_may_end_with_the_path_of_the_api() -> None:
    for address in ("http://service", "http://service/", "http://service/api/v1", "http://service/api/v1/"):
        http = httpx.Client(transport=httpx.MockTransport(lambda request: httpx.Response(200, json={"at": str(request.url)})))
        assert dict(Client(address, "sk_x", http_client=http).usage())["at"] == "http://service/api/v1/usage"


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for names in (["GROUNDED_CHAT_KEY"], ["GROUNDED_CHAT_API_KEY"]):
        for name in ("GROUNDED_CHAT_KEY", "GROUNDED_CHAT_API_KEY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv(names[0], "sk_environment")
        http = httpx.Client(transport=httpx.MockTransport(lambda request: httpx.Response(200, json=dict(request.headers))))
        assert dict(Client("http://service", http_client=http).usage())["authorization"] == "Bearer sk_environment"


def test_no_error_contains_the_key() -> None:
    key = "sk_secret"
    wrong = [key, f"http://{key}@service", f"http://service:{key}", f"http://[{key}", f"http://service?key={key}", f"ftp://{key}"]
    accesses = [*((url, key) for url in wrong), ("http://service", f"{key}\n"), ("http://service", f"{key}é")]
    for url, api_key in accesses:
        with pytest.raises(ValueError) as refused:
            Client(url, api_key)
        assert key not in "".join(traceback.format_exception_only(type(refused.value), refused.value))
        assert refused.value.__cause__ is None and refused.value.__context__ is None

    def fail(request: httpx.Request) -> httpx.Response:
        raise httpx.LocalProtocolError(f"Illegal header value b'Bearer {key}'")

    client = Client("http://service", key, max_retries=0, http_client=httpx.Client(transport=httpx.MockTransport(fail)))
    for failing in (client, Client("http://127.0.0.1:9", key, max_retries=0)):
        with pytest.raises(ConnectionError) as failed:
            failing.usage()
        shown = f"{failed.value} {failed.value!r} {failed.value.__cause__!r}"
        assert failed.value.__suppress_context__ and key not in shown
