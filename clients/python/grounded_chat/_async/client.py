from __future__ import annotations

import os
from pathlib import Path
from typing import Any, List, Mapping, Optional, Tuple, Union, cast

import httpx

from .._access import api_url_of, checked_key, key_of_environment
from .._requests import NOT_GIVEN, NotGiven, Options, Request, form_fields, given
from .._sleep import async_sleep
from ..types import ChatResponse, DocumentRecord, WrittenDocument
from .resources import (
    AsyncConversations,
    AsyncDocumentOperations,
    AsyncEvaluationRuns,
    AsyncHandoffs,
    AsyncKeys,
    AsyncOperations,
    AsyncQuestionSets,
    AsyncSources,
    AsyncWebhooks,
)
from .stream import AsyncChatStream
from .transport import AsyncTransport

POLL_INTERVAL = 1.0

#: A path, or a name with the bytes.
File = Union[str, "os.PathLike[str]", Tuple[str, bytes]]


class AsyncChat:
    """Answers. Call it to send a message: `await client.chat(message="…")`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def __call__(
        self,
        message: str,
        *,
        conversation_id: Union[str, NotGiven] = NOT_GIVEN,
        end_user_id: Union[str, NotGiven] = NOT_GIVEN,
        filter: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        options: Options = Options(),
    ) -> ChatResponse:
        """Sends a message and returns the complete answer. A cut connection does not ask twice."""
        return await self.stream(
            message,
            conversation_id=conversation_id,
            end_user_id=end_user_id,
            filter=filter,
            options=options,
        ).result()

    def stream(
        self,
        message: str,
        *,
        conversation_id: Union[str, NotGiven] = NOT_GIVEN,
        end_user_id: Union[str, NotGiven] = NOT_GIVEN,
        filter: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        resumable: Union[bool, NotGiven] = NOT_GIVEN,
        options: Options = Options(),
    ) -> AsyncChatStream:
        """Sends a message and streams the answer. A cut connection is resumed exactly."""
        body = {
            "message": message,
            "conversationId": conversation_id,
            "endUserId": end_user_id,
            "filter": filter,
            "resumable": resumable,
        }
        body = given(body, keep_none=True)
        return AsyncChatStream(self._transport, body=body, options=options)

    def resume(
        self, message_id: str, *, after: int = -1, options: Options = Options()
    ) -> AsyncChatStream:
        """Streams an answer again, after the event with this `seq`, or from its start."""
        return AsyncChatStream(self._transport, message_id=message_id, after=after, options=options)


class AsyncDocuments(AsyncDocumentOperations):
    """Documents."""

    async def upload(
        self,
        file: File,
        *,
        external_id: Union[str, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, Any], NotGiven] = NOT_GIVEN,
        source_url: Union[str, NotGiven] = NOT_GIVEN,
        tags: Union[List[str], NotGiven] = NOT_GIVEN,
        options: Options = Options(),
    ) -> WrittenDocument:
        """Creates a document from a file, or replaces the one with the same `external_id`."""
        details = {"externalId": external_id, "metadata": metadata}
        form = form_fields({**details, "sourceUrl": source_url, "tags": tags})
        path = "/knowledge/documents/upload"
        request = Request("uploadDocument", "POST", path, form=form, file=_read(file), options=options)
        return cast(WrittenDocument, await self._transport.json(request))

    async def replace_file(
        self, document_id: str, file: File, *, options: Options = Options()
    ) -> WrittenDocument:
        """Replaces the content of a document by a file."""
        path = "/knowledge/documents/{documentId}"
        request = Request("replaceDocument", "PUT", path, [document_id], file=_read(file), options=options)
        return cast(WrittenDocument, await self._transport.json(request))

    async def original(self, document_id: str, *, options: Options = Options()) -> bytes:
        """Returns the file of a document."""
        path = "/knowledge/documents/{documentId}/original"
        request = Request("getDocumentOriginal", "GET", path, [document_id], options=options)
        return (await self._transport.send(request)).content

    async def wait_until_processed(self, document_id: str) -> DocumentRecord:
        """Returns the document as soon as it is `READY` or `FAILED`."""
        while True:
            document = await self.get(document_id)
            if document["status"] != "PROCESSING":
                return document
            await async_sleep(POLL_INTERVAL)


class AsyncClient(AsyncOperations):
    """Client of the REST API of grounded-chat.

    `base_url` and `api_key` default to the environment variables GROUNDED_CHAT_URL and GROUNDED_CHAT_KEY. `base_url` may end with
    `/api/v1`. `project_id` is for org-wide keys.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        project_id: Optional[str] = None,
        timeout: float = 60.0,
        max_retries: int = 3,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        url = base_url or os.environ.get("GROUNDED_CHAT_URL", "http://127.0.0.1:3000")
        self._http = http_client or httpx.AsyncClient()
        transport = AsyncTransport(
            self._http,
            url=api_url_of(url),
            api_key=checked_key(api_key or key_of_environment()),
            project_id=project_id,
            timeout=timeout,
            max_retries=max_retries,
        )
        super().__init__(transport)
        self.chat = AsyncChat(transport)
        self.documents = AsyncDocuments(transport)
        self.sources = AsyncSources(transport)
        self.conversations = AsyncConversations(transport)
        self.handoffs = AsyncHandoffs(transport)
        self.keys = AsyncKeys(transport)
        self.question_sets = AsyncQuestionSets(transport)
        self.evaluation_runs = AsyncEvaluationRuns(transport)
        self.webhooks = AsyncWebhooks(transport)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()


def _read(file: File) -> Tuple[str, bytes]:
    if isinstance(file, tuple):
        return file
    path = Path(file)
    return path.name, path.read_bytes()
