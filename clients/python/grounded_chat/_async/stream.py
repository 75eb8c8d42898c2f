from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from typing import Any, AsyncIterator, Dict, Mapping, Optional, Union, cast

import httpx

from .._errors import (
    ApiError,
    ConnectionError,
    GroundedChatError,
    StreamInterruptedError,
    TimeoutError,
)
from .._events import EventParser
from .._recovery import SilenceError, StreamRecovery
from .._requests import Options, Request, may_still_run, new_key
from .._sleep import async_sleep
from ..types import ChatResponse, DeltaEvent, DoneEvent, MetaEvent, SourcesEvent
from .transport import AsyncTransport

#: An event of a streamed answer. An `error` of the service is raised as an `ApiError`.
ChatEvent = Union[MetaEvent, SourcesEvent, DeltaEvent, DoneEvent]

#: How long the service keeps the events of an answer, in seconds.
RESUMABLE_TIME = 600.0


class AsyncChatStream:
    """A streamed answer: every event once and in order. A cut connection is resumed after the last event.

    Iterate it once, or call `result`. If you leave it early, close it, or use it with `async with`: that stops the answer,
    unless it was asked for with `resumable`.
    """

    def __init__(
        self,
        transport: AsyncTransport,
        *,
        body: Optional[Mapping[str, Any]] = None,
        message_id: Optional[str] = None,
        after: int = -1,
        options: Options = Options(),
    ) -> None:
        self._transport = transport
        self._body = body
        self._is_resumable = body is None or body.get("resumable", True) is not False
        self._stops_when_left = body is not None and body.get("resumable") is None
        self._options = Options(
            timeout=options.timeout,
            max_retries=options.max_retries,
            idempotency_key=options.idempotency_key or new_key(),
        )
        #: Id of the answer, from the first event on.
        self.message_id = message_id
        #: Id of the conversation, from the first event on.
        self.conversation_id: Optional[str] = None if body is None else body.get("conversationId")
        #: `seq` of the last event.
        self.after = after
        self._answer: Optional[Dict[str, Any]] = None
        self._has_failed = False
        self._is_replay = False
        self._may_be_running = False
        self._started_at = time.monotonic()
        self._response: Optional[httpx.Response] = None
        self._events = self._read()

    def __aiter__(self) -> AsyncIterator[ChatEvent]:
        return self._events

    async def __aenter__(self) -> AsyncChatStream:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def text(self) -> AsyncIterator[str]:
        """Returns the parts of the answer's text."""
        async for event in self:
            if event["type"] == "delta":
                yield event["text"]

    async def result(self) -> ChatResponse:
        """Reads the stream to its end and returns the complete answer."""
        async for _ in self:
            pass
        if self._answer is None:
            raise ConnectionError("The stream was not read to its end")
        answer = {name: value for name, value in self._answer.items() if name not in ("seq", "type")}
        return cast(ChatResponse, answer)

    async def stop(self) -> None:
        """Stops the answer. Its partial text is stored, and the stream ends with `done`."""
        if self.message_id is None:
            raise ValueError("The answer has no id before its first event")
        path = "/chat/{messageId}/stop"
        options = replace(self._options, idempotency_key=None)
        request = Request("stopAnswer", "POST", path, ids=[self.message_id], options=options)
        await self._transport.json(request)

    async def aclose(self) -> None:
        """Closes the connection, and stops the answer if the stream was not read to its end.

        An answer that cannot be stopped raises no error here. It ends by itself.
        """
        is_open = self._answer is None and not self._has_failed and self.message_id is not None
        await self._close_connection()
        if is_open and self._stops_when_left:
            self._has_failed = True
            with suppress(GroundedChatError):
                await self.stop()

    async def _close_connection(self) -> None:
        response, self._response = self._response, None
        if response is not None:
            await response.aclose()

    async def _read(self) -> AsyncIterator[ChatEvent]:
        max_retries = self._options.max_retries
        if max_retries is None:
            max_retries = self._transport.max_retries
        recovery = StreamRecovery(is_resumable=self._is_resumable, max_retries=max_retries)
        while True:
            before, started_at = self.after, time.monotonic()
            try:
                async for event in self._read_connection():
                    yield event
                return
            except GroundedChatError as error:
                if self._becomes_replay(error):
                    continue
                self._may_be_running = self._may_be_running or may_still_run(error)
                duration = time.monotonic() - started_at
                has_events = self.after > before
                delay = recovery.delay_after(error, had_events=has_events, duration=duration)
                self._has_failed = delay is None
                if delay is None:
                    if self.message_id is not None and self._can_resume_later(error):
                        raise StreamInterruptedError(self.message_id, self.after) from error
                    raise
            finally:
                await self._close_connection()
            await async_sleep(delay)

    def _becomes_replay(self, error: GroundedChatError) -> bool:
        """Whether to repeat the request, because its events are stored under its key only.

        Such are those that the service sends while a person has the conversation.
        """
        is_unknown = isinstance(error, ApiError) and error.status == 404
        if not is_unknown or self._body is None or self.message_id is None or self._is_replay:
            return False
        # Later, it may be an answer that could be resumed once, and whose key may be free again.
        if time.monotonic() - self._started_at > RESUMABLE_TIME:
            return False
        self._is_replay = self._may_be_running = True
        return True

    def _can_resume_later(self, error: GroundedChatError) -> bool:
        is_refused = isinstance(error, ApiError) and error.status is not None and error.is_retryable
        return self._is_resumable and (is_refused or isinstance(error, ConnectionError))

    async def _read_connection(self) -> AsyncIterator[ChatEvent]:
        self._response = response = await self._open()
        parser = EventParser()
        try:
            async for part in response.aiter_bytes():
                for event in parser.feed(part):
                    if not self._is_next(event, response):
                        continue
                    yield cast(ChatEvent, event)
                    if event["type"] == "done":
                        return
        except httpx.ReadTimeout as error:
            raise SilenceError("The stream was silent for too long") from error
        except (httpx.TransportError, httpx.StreamError) as error:
            raise ConnectionError(f"The stream was cut: {error!r}") from error
        raise ConnectionError("The stream ended before the answer")

    async def _open(self) -> httpx.Response:
        """Tries once. A request that times out is repeated only if it resumes an answer."""
        request = self._request()
        try:
            return await self._transport.send(request)
        except TimeoutError as error:
            if request.operation != "resumeAnswer":
                raise
            raise ConnectionError(str(error)) from error

    def _is_next(self, event: Dict[str, Any], response: httpx.Response) -> bool:
        request_id = response.headers.get("x-request-id")
        # A new answer must not continue the text of another one.
        if event["type"] == "meta" and self.message_id not in (None, event["messageId"]):
            details = ["The answer no longer exists"]
            raise ApiError(status=None, code="NOT_FOUND", details=details, request_id=request_id)
        if event["seq"] <= self.after:
            return False
        if event["seq"] > self.after + 1:
            raise ConnectionError("An event is missing")
        if event["type"] == "error":
            raise ApiError(
                status=None,
                code=event["code"],
                details=[event["message"]],
                request_id=request_id,
                is_retryable=event["retryable"],
            )
        self.after = event["seq"]
        if event["type"] == "meta":
            self.message_id = event["messageId"]
            self.conversation_id = event["conversationId"]
        if event["type"] == "done":
            self._answer = event
        return True

    def _request(self) -> Request:
        options = replace(self._options, max_retries=0)
        common: Dict[str, Any] = {"options": options, "reads_stream": True}
        if self.message_id is not None and not self._is_replay:
            query = {"after": None if self.after < 0 else self.after}
            path = "/chat/{messageId}/stream"
            return Request("resumeAnswer", "GET", path, [self.message_id], query=query, **common)
        body = {**(self._body or {}), "resumable": self._is_resumable, "stream": True}
        common["may_be_running"] = self._may_be_running
        return Request("sendMessage", "POST", "/chat", body=body, **common)
