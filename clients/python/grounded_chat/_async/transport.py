from __future__ import annotations

import time
from typing import Any, Optional

import httpx

from .._errors import ConnectionError, GroundedChatError, TimeoutError, api_error
from .._requests import Attempts, Request, new_key
from .._sleep import async_sleep


class AsyncTransport:
    """Sends requests until they succeed or should not be repeated."""

    def __init__(
        self,
        http: httpx.AsyncClient,
        *,
        url: str,
        api_key: Optional[str],
        project_id: Optional[str],
        timeout: float,
        max_retries: int,
    ) -> None:
        self._http = http
        self._url = url
        self._api_key = api_key
        self._headers = {} if api_key is None else {"authorization": f"Bearer {api_key}"}
        self._timeout = timeout
        self.project_id = project_id
        self.max_retries = max_retries

    async def json(self, request: Request) -> Any:
        """Returns the JSON of the response, or None if it has none."""
        response = await self.send(request)
        return None if response.status_code == 204 else response.json()

    async def send(self, request: Request) -> httpx.Response:
        """Returns a successful response, read to its end unless the request reads a stream."""
        options = request.options
        max_retries = self.max_retries if options.max_retries is None else options.max_retries
        attempts = Attempts(request, max_retries, time.monotonic())
        http_request = self._build(request)
        while True:
            try:
                return await self._attempt(http_request, request.reads_stream)
            except GroundedChatError as error:
                delay = attempts.delay_after(error, time.monotonic())
                if delay is None:
                    raise
            await async_sleep(delay)

    def _build(self, request: Request) -> httpx.Request:
        headers = dict(self._headers)
        if request.method in ("POST", "PUT"):
            headers["idempotency-key"] = request.options.idempotency_key or new_key()
        body = request.json_body(self.project_id)
        if body is not None:
            headers["content-type"] = "application/json"
        timeout = self._timeout if request.options.timeout is None else request.options.timeout
        return self._http.build_request(
            request.method,
            self._url + request.target(self.project_id),
            content=body,
            data=request.form,
            files=None if request.file is None else {"file": request.file},
            headers=headers,
            timeout=timeout,
        )

    async def _attempt(self, request: httpx.Request, reads_stream: bool) -> httpx.Response:
        try:
            response = await self._http.send(request, stream=reads_stream)
            if response.is_success:
                return response
            if reads_stream:
                await response.aread()
                await response.aclose()
        except httpx.TimeoutException as error:
            raise TimeoutError(f"{request.method} {request.url.path} took too long") from error
        except httpx.TransportError as error:
            message = f"{request.method} {request.url.path} failed"
            if self._api_key and self._api_key in repr(error):
                raise ConnectionError(message) from None
            raise ConnectionError(f"{message}: {error}") from error
        raise api_error(response.status_code, response.headers, _json_of(response))


def _json_of(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None
