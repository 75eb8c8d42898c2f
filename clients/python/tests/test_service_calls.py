"""The operations, against a running service."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from conftest import API_KEY, CuttingProxy

from grounded_chat import (
    AsyncClient,
    AuthenticationError,
    Client,
    ConflictError,
    NotFoundError,
    PermissionDeniedError,
    ValidationError,
)

QUESTION = "Until when is check-out?"
NOWHERE = "01980a3c-0000-7000-8000-000000000000"


def test_chat_conversations_feedback_and_handoffs(client: Client) -> None:
    answer = client.chat(QUESTION, end_user_id="ada")
    assert "11:00" in answer["content"]
    assert answer["citations"][0]["documentName"] == "Check-out"
    assert 0 < answer["confidence"] <= 1
    conversation_id = answer["conversationId"]
    assert client.chat("And dogs?", conversation_id=conversation_id)["conversationId"] == conversation_id
    assert client.feedback(answer["messageId"], rating="UP")["rating"] == "UP"

    handoff = client.handoffs.request(conversation_id=conversation_id, reason="A group")
    claimed = client.handoffs.claim(handoff["handoffId"])
    assert claimed["status"] == "CLAIMED"
    client.conversations.reply(conversation_id, content="A person here.")
    assert client.handoffs.resolve(handoff["handoffId"])["status"] == "RESOLVED"
    with pytest.raises(ConflictError):
        client.handoffs.claim(handoff["handoffId"])
    transcript = client.conversations.get(conversation_id)
    assert [message["role"] for message in transcript["messages"]][:3] == ["USER", "ASSISTANT", "USER"]
    assert any(message["content"] == "A person here." for message in transcript["messages"])
    assert conversation_id in [one["id"] for one in client.conversations.list(end_user_id="ada")]


def test_documents_and_search(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "Parking.md"
    file.write_text("# Parking\n\nThe garage opens at six.", encoding="utf-8")
    uploaded = client.documents.upload(file, tags=["car", "house"], metadata={"year": 2026})
    assert (uploaded["name"], uploaded["tags"]) == ("Parking.md", ["car", "house"])
    assert client.documents.wait_until_processed(uploaded["id"])["status"] == "READY"
    assert client.documents.original(uploaded["id"]) == file.read_bytes()
    found = client.search(query="When does the garage open?", limit=1)["results"]
    assert "six" in found[0]["content"]
    changed = client.documents.update(uploaded["id"], source_url="https://example.com/parking")
    assert changed["sourceUrl"] == "https://example.com/parking"
    assert client.documents.update(uploaded["id"], source_url=None)["sourceUrl"] is None
    client.documents.replace_file(uploaded["id"], ("Parking.md", b"The garage opens at seven."))
    client.documents.wait_until_processed(uploaded["id"])
    assert "seven" in client.documents.content(uploaded["id"])["text"]
    client.documents.delete(uploaded["id"])
    with pytest.raises(NotFoundError):
        client.documents.get(uploaded["id"])


def test_lists_read_all_pages(client: Client) -> None:
    names = {f"Page {n}" for n in range(5)}
    ids = [client.documents.create(name=name, content=f"{name} of five")["id"] for name in names]
    pages = client.documents.list(search="Page", limit=2)
    assert {document["name"] for document in pages} == names
    assert (len(pages.page(3)), pages.total()) == (1, 5)
    assert client.documents.delete_many(document_ids=ids)["count"] == 5


def test_keys_webhooks_and_usage(client: Client, url: str) -> None:
    key = client.keys.create(name="Python", scopes=["chat"])
    with Client(url, key["secret"]) as other:
        with pytest.raises(PermissionDeniedError):
            other.search(query="dogs")
    client.keys.revoke(key["id"])
    assert key["id"] in [one["id"] for one in client.keys.list()]

    endpoint = client.webhooks.create(url="https://example.com/hook", types=["human.requested"])
    assert endpoint["secret"].startswith("whsec_")
    assert client.webhooks.update(endpoint["id"], is_enabled=False)["isEnabled"] is False
    assert [one["id"] for one in client.webhooks.list()] == [endpoint["id"]]
    client.webhooks.delete(endpoint["id"])
    assert client.usage()["messages"]["used"] > 0
    question = "Who repairs the zeppelin on Mars?"
    conversation_id = client.chat(question)["conversationId"]
    unanswered = {one["question"]: one["conversationIds"] for one in client.unanswered_questions()}
    assert conversation_id in unanswered[question]


def test_errors_have_their_classes(client: Client, url: str) -> None:
    with Client(url, "sk_invalid") as stranger:
        with pytest.raises(AuthenticationError) as refused:
            stranger.usage()
    assert (refused.value.status, refused.value.code) == (401, "UNAUTHENTICATED")
    assert refused.value.request_id
    with pytest.raises(ValidationError) as invalid:
        client.search(query="")
    assert invalid.value.details[0].startswith("query")
    with pytest.raises(NotFoundError):
        client.conversations.get(NOWHERE)


def test_a_lost_response_creates_no_second_document(client: Client, proxy: CuttingProxy) -> None:
    proxy.cut_after(1, 100)
    with Client(proxy.url, API_KEY) as unlucky:
        created = unlucky.documents.create(name="Only once", content="A text that is sent three times.")
    assert proxy.connections == 3
    assert [one["id"] for one in client.documents.list(search="Only once")] == [created["id"]]
    client.documents.delete(created["id"])


def test_the_asynchronous_client(url: str) -> None:
    async def run() -> None:
        async with AsyncClient(url, API_KEY) as client:
            answers = await asyncio.gather(client.chat(QUESTION), client.chat("Are dogs welcome?"))
            assert "11:00" in answers[0]["content"]
            assert "welcome" in answers[1]["content"]
            assert "Check-out" in [document["name"] async for document in client.documents.list(limit=1)]
            with pytest.raises(NotFoundError):
                await client.documents.get(NOWHERE)

    asyncio.run(run())
