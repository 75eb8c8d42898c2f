"""Streams that are cut, refused or left, without a service."""

from __future__ import annotations

import json
from typing import Callable, Iterator, List, Tuple, Union

import httpx
import pytest

from grounded_chat import (
    ApiError,
    ChatStream,
    Client,
    ConnectionError,
    Options,
    StreamInterruptedError,
    TimeoutError,
)
from grounded_chat._sync import stream as stream_module
from grounded_chat._sync import transport as transport_module

Answer = Union[httpx.Response, Exception, Callable[[], httpx.Response]]

META = {"type": "meta", "seq": 0, "messageId": "m1", "conversationId": "c1"}
SOURCES = {"type": "sources", "seq": 1, "citations": [], "confidence": 0.9}
DELTA = {"type": "delta", "seq": 2, "text": "Until 11:00."}
DONE = {"type": "done", "seq": 3, "messageId": "m1", "content": "Until 11:00."}
EVENTS = [META, SOURCES, DELTA, DONE]
CUT = httpx.ReadError("cut")
SILENCE = httpx.ReadTimeout("silent")
REFUSED = httpx.ConnectError("refused")


class Body(httpx.SyncByteStream):
    """Events, and then what ends the connection."""

    def __init__(self, events: List[dict], end: Union[Exception, None]) -> None:
        self._events = events
        self._end = end

    def __iter__(self) -> Iterator[bytes]:
        for event in self._events:
            yield f"data: {json.dumps(event)}\n\n".encode()
        if self._end is not None:
            raise self._end


def events(*sent: dict, end: Union[Exception, None] = None) -> httpx.Response:
    return httpx.Response(200, stream=Body(list(sent), end))


def refusal(status: int, code: str, **headers: str) -> httpx.Response:
    return httpx.Response(status, json={"code": code, "message": "No"}, headers=headers)


@pytest.fixture(autouse=True)
def delays(monkeypatch: pytest.MonkeyPatch) -> List[float]:
    waited: List[float] = []
    monkeypatch.setattr(stream_module, "sleep", waited.append)
    monkeypatch.setattr(transport_module, "sleep", waited.append)
    return waited


def client_of(*answers: Answer, max_retries: int = 3) -> Tuple[Client, List[httpx.Request]]:
    """A client whose requests get these answers in order, and the last one again and again."""
    requests: List[httpx.Request] = []
    left = list(answers)

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        one = left.pop(0) if len(left) > 1 else left[0]
        if isinstance(one, Exception):
            raise one
        return one() if callable(one) else one

    http = httpx.Client(transport=httpx.MockTransport(answer))
    return Client("http://service", "sk_x", http_client=http, max_retries=max_retries), requests


def names(requests: List[httpx.Request]) -> List[str]:
    return [f"{one.method} {one.url.raw_path.decode()[len('/api/v1'):]}" for one in requests]


def numbers(stream: ChatStream) -> List[int]:
    return [event["seq"] for event in stream]


def keys(requests: List[httpx.Request]) -> List[str]:
    return [one.headers["idempotency-key"] for one in requests if one.method == "POST"]


def test_a_service_that_is_down_is_called_four_times() -> None:
    client, requests = client_of(REFUSED)
    with pytest.raises(ConnectionError):
        client.chat("Hello")
    assert names(requests) == ["POST /chat"] * 4
    assert len(set(keys(requests))) == 1


def test_an_event_makes_up_for_the_failures_before_it() -> None:
    cut_after = [events(*EVENTS[at : at + 1], end=CUT) for at in range(3)]
    first, second, third = cut_after
    down = [REFUSED] * 2
    client, requests = client_of(first, *down, second, *down, third, *down, events(DONE))
    assert numbers(client.chat.stream("Hello")) == [0, 1, 2, 3]
    assert names(requests)[-1] == "GET /chat/m1/stream?after=2"


def test_what_takes_longer_than_its_timeout_is_not_repeated() -> None:
    client, requests = client_of(SILENCE)
    with pytest.raises(TimeoutError):
        client.chat("Hello")
    with pytest.raises(TimeoutError):
        client.usage()
    assert names(requests) == ["POST /chat", "GET /usage"]


def test_silence_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(stream_module.time, "monotonic", lambda: now[0])

    def silent() -> httpx.Response:
        now[0] += 25
        return events(end=SILENCE)

    client, requests = client_of(events(META), *[silent] * 10, events(*EVENTS[1:]))
    assert numbers(client.chat.stream("Hello")) == [0, 1, 2, 3]
    assert len(requests) == 12
    client, requests = client_of(events(META), silent)
    with pytest.raises(StreamInterruptedError):
        client.chat("Hello")
    assert len(requests) == 1 + 300 // 25


@pytest.mark.parametrize("failure", [refusal(503, "UNAVAILABLE"), refusal(429, "RATE_LIMITED"), SILENCE])
def test_a_resume_that_fails_keeps_its_place(failure: Answer) -> None:
    client, requests = client_of(events(META, SOURCES, end=CUT), failure)
    with pytest.raises(StreamInterruptedError) as interrupted:
        client.chat("Hello")
    assert (interrupted.value.message_id, interrupted.value.after) == ("m1", 1)
    assert names(requests)[1:] == ["GET /chat/m1/stream?after=1"] * 3
    client, _ = client_of(events(META, SOURCES, end=CUT), failure, events(DELTA, DONE))
    assert numbers(client.chat.stream("Hello")) == [0, 1, 2, 3]


def test_a_refusal_that_does_not_pass_is_raised_as_such() -> None:
    client, requests = client_of(events(META, end=CUT), refusal(403, "FORBIDDEN"))
    with pytest.raises(ApiError) as refused:
        client.chat("Hello")
    assert (refused.value.status, len(requests)) == (403, 2)


@pytest.mark.parametrize("status", [408, 500, 502, 504])
def test_a_request_that_may_still_run_is_waited_for(status: int, delays: List[float]) -> None:
    in_use = refusal(409, "IDEMPOTENCY_KEY_IN_USE")
    client, requests = client_of(refusal(status, "UNKNOWN"), *[in_use] * 5, events(*EVENTS))
    assert client.chat("Hello")["content"] == "Until 11:00."
    assert (len(set(keys(requests))), delays[1:]) == (1, [1.0] * 5)
    client, requests = client_of(refusal(status, "UNKNOWN"), *[in_use] * 5, httpx.Response(200, json={"results": []}))
    assert client.search(query="a")["results"] == []
    assert len(requests) == 7


def test_a_holding_message_is_read_again_by_its_key() -> None:
    client, requests = client_of(events(META, end=CUT), refusal(404, "NOT_FOUND"), events(*EVENTS))
    assert numbers(client.chat.stream("Hello")) == [0, 1, 2, 3]
    assert names(requests) == ["POST /chat", "GET /chat/m1/stream?after=0", "POST /chat"]
    assert len(set(keys(requests))) == 1


def test_another_answer_does_not_continue_the_text() -> None:
    other = {**META, "messageId": "m2"}
    client, requests = client_of(events(META, end=CUT), refusal(404, "NOT_FOUND"), events(other, SOURCES))
    with pytest.raises(ApiError) as refused:
        client.chat("Hello")
    assert (refused.value.code, len(requests)) == ("NOT_FOUND", 3)
    client, requests = client_of(refusal(404, "NOT_FOUND"))
    with pytest.raises(ApiError):
        client.chat.resume("m1").result()
    assert len(requests) == 1


def test_a_chat_that_is_not_resumable_is_sent_once() -> None:
    client, requests = client_of(events(META, SOURCES, end=CUT))
    with pytest.raises(ConnectionError) as cut:
        list(client.chat.stream("Hello", resumable=False))
    assert not isinstance(cut.value, StreamInterruptedError)
    assert names(requests) == ["POST /chat"]
    client, requests = client_of(refusal(503, "UNAVAILABLE"))
    with pytest.raises(ApiError):
        list(client.chat.stream("Hello", resumable=False))
    assert len(requests) == 1
    client, requests = client_of(refusal(429, "RATE_LIMITED"), events(*EVENTS))
    assert numbers(client.chat.stream("Hello", resumable=False)) == [0, 1, 2, 3]
    assert json.loads(requests[1].content)["resumable"] is False


def test_leaving_a_stream_early_stops_the_answer() -> None:
    client, requests = client_of(events(*EVENTS), httpx.Response(200, json={}))
    with client.chat.stream("Hello") as stream:
        assert next(iter(stream))["type"] == "meta"
    assert names(requests) == ["POST /chat", "POST /chat/m1/stop"]
    for resumable in (True, False):
        client, requests = client_of(events(*EVENTS))
        with client.chat.stream("Hello", resumable=resumable) as stream:
            next(iter(stream))
        assert names(requests) == ["POST /chat"]
    client, requests = client_of(events(*EVENTS))
    with client.chat.stream("Hello") as stream:
        list(stream)
    assert names(requests) == ["POST /chat"]


def test_closing_does_not_replace_the_error_of_the_caller() -> None:
    client, requests = client_of(events(*EVENTS), REFUSED)
    options = Options(timeout=2, max_retries=1)
    with pytest.raises(KeyError):
        with client.chat.stream("Hello", options=options) as stream:
            next(iter(stream))
            raise KeyError("of the caller")
    assert names(requests)[1:] == ["POST /chat/m1/stop"] * 2
    assert requests[1].extensions["timeout"]["read"] == 2
    assert keys(requests)[0] != keys(requests)[1]
