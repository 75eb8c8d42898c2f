from __future__ import annotations

from dataclasses import replace
from typing import Any, AsyncIterator, Generic, List, TypeVar

from .._requests import Request
from .transport import AsyncTransport

Item = TypeVar("Item")


class AsyncPages(Generic[Item]):
    """A list. Iterate it to read all pages, one after the other, or read one with `page`.

    An entry that a new one has moved to the next page is returned once. Do not delete entries while you iterate: the rest
    moves up, past what the next page starts with.
    """

    def __init__(self, transport: AsyncTransport, request: Request) -> None:
        self._transport = transport
        self._request = request

    async def page(self, number: int = 1) -> List[Item]:
        """Returns the entries of one page, counted from 1."""
        data: List[Item] = (await self._read(number))["data"]
        return data

    async def total(self) -> int:
        """Returns the number of entries of all pages."""
        total: int = (await self._read(1))["total"]
        return total

    async def __aiter__(self) -> AsyncIterator[Item]:
        number = self._request.query.get("page") or 1
        known: List[Any] = []
        while True:
            page = await self._read(number)
            for item in page["data"]:
                if _key(item) not in known:
                    yield item
            if not page["hasMore"]:
                return
            known = [_key(item) for item in page["data"]]
            number += 1

    async def _read(self, number: int) -> Any:
        query = {**self._request.query, "page": number}
        return await self._transport.json(replace(self._request, query=query))


def _key(item: Any) -> Any:
    return item.get("id", item)
