"""Streamed answers, against a running service."""

from __future__ import annotations

import asyncio

import pytest
from conftest import API_KEY, CuttingProxy

from grounded_chat import AsyncClient, Client, StreamInterruptedError

QUESTION = "Until when is check-out?"
#: Bytes of the response after which a connection is cut: in the headers, in the first events, in the text, at the end.
POSITIONS = [50, 400, 700, 900, 1100, 1300, 1500, 1700, 1900, 2100]


def test_a_stream_has_the_events_of_an_answer(client: Client) -> None:
    with client.chat.stream(QUESTION) as stream:
        events = list(stream)
    assert [event["type"] for event in events[:2]] == ["meta", "sources"]
    assert [event["seq"] for event in events] == list(range(len(events)))
    last = events[-1]
    assert last["type"] == "done"
    assert "".join(event["text"] for event in events if event["type"] == "delta") == last["content"]
    assert stream.message_id == last["messageId"]


def test_a_stream_that_is_cut_anywhere_is_resumed_exactly(client: Client, proxy: CuttingProxy) -> None:
    conversations = client.conversations.list().total()
    with Client(proxy.url, API_KEY) as unlucky:
        for position in POSITIONS:
            proxy.cut_after(position, 600)
            stream = unlucky.chat.stream(QUESTION)
            events = list(stream)
            assert [event["seq"] for event in events] == list(range(len(events)))
            text = "".join(event["text"] for event in events if event["type"] == "delta")
            last = events[-1]
            assert last["type"] == "done" and text == last["content"] and "11:00" in text
            proxy.cut_after()
    assert proxy.connections > len(POSITIONS)
    assert client.conversations.list().total() == conversations + len(POSITIONS)


def test_an_interrupted_stream_is_resumed_later(client: Client, proxy: CuttingProxy) -> None:
    seen = []
    with Client(proxy.url, API_KEY, max_retries=0) as unlucky:
        proxy.cut_after(1300)
        with pytest.raises(StreamInterruptedError) as interrupted:
            for event in unlucky.chat.stream(QUESTION):
                seen.append(event)
    error = interrupted.value
    assert error.after == seen[-1]["seq"]
    rest = list(client.chat.resume(error.message_id, after=error.after))
    assert [event["seq"] for event in seen + rest] == list(range(len(seen) + len(rest)))
    assert client.chat.resume(error.message_id).result()["messageId"] == error.message_id


def test_an_asynchronous_stream_is_resumed_exactly(proxy: CuttingProxy) -> None:
    async def run() -> None:
        async with AsyncClient(proxy.url, API_KEY) as client:
            for position in POSITIONS[2::3]:
                proxy.cut_after(position)
                async with client.chat.stream(QUESTION) as stream:
                    text = "".join([part async for part in stream.text()])
                assert text == (await client.chat.resume(stream.message_id or "").result())["content"]

    asyncio.run(run())
