"""The connections of a stream: to the stream itself, and to the pages of replay and sync."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any

import httpx

from ._io import hang_up, read_all
from ._rest import Rest, build_url
from ._sse import Parser, Signal
from .errors import ApiError

# Seconds. A server that is silent for three keep-alive intervals counts as disconnected.
_SILENCE = 45.0
_CONNECT = 10.0
_PAGE = 120.0
# Statuses after which the same request would get the same reply.
_REFUSED = frozenset((400, 401, 402, 403, 404, 422))
# Statuses of a service, or of the proxy before it, whose processes restart.
_AWAY = frozenset((502, 503, 504))


class Ended(Exception):
    """Reason why a connection ended.

    refusal: the same request would be refused again. retry_after: seconds, from `Retry-After`.
    is_answer: the service itself ended it, for a reason that may last: a limit, say.
    """

    def __init__(self, message: str, answer: ApiError | None = None) -> None:
        super().__init__(message)
        self.refusal = answer if answer is not None and answer.status in _REFUSED else None
        self.retry_after = answer.retry_after if answer is not None else None
        self.is_answer = answer is not None and answer.status not in _AWAY


class Connection:
    def __init__(self, rest: Rest) -> None:
        self._rest = rest
        self.closed = False
        self._active: httpx.Response | None = None

    def close(self) -> None:
        """Any thread, task or signal handler may call it."""
        self.closed = True
        if self._active is not None:
            hang_up(self._active)

    async def signals(self, query: Mapping[str, str]) -> AsyncGenerator[Signal, None]:
        """Yields what the stream sends until the connection ends. Raises Ended."""
        timeout = httpx.Timeout(_SILENCE, connect=_CONNECT)
        # Compression would hold events back.
        headers = {"Accept": "text/event-stream", "Accept-Encoding": "identity"}
        async with self._response("v1/stream", query, headers, timeout) as response:
            if response.status_code != 200:
                await self._refuse(response)
            parser = Parser()
            async with aclosing(self._rest.io.chunks(response)) as chunks:
                while True:
                    try:
                        chunk = await anext(chunks, None)
                    except httpx.HTTPError as error:
                        raise _lost(error) from error
                    if chunk is None:
                        return
                    try:
                        found = parser.feed(chunk)
                    except (ValueError, KeyError, TypeError) as error:
                        raise Ended("unreadable event") from error
                    for signal in found:
                        yield signal

    async def page(self, path: str, query: Mapping[str, str]) -> Any:
        """Returns a page of replay or sync; None if its events are no longer stored. Raises Ended."""
        headers = {"Accept": "application/json"}
        async with self._response(path, query, headers, httpx.Timeout(_PAGE, connect=_CONNECT)) as response:
            if response.status_code == 410:
                return None
            if response.status_code != 200:
                await self._refuse(response)
            try:
                return json.loads(await read_all(self._rest.io, response, time.monotonic() + _PAGE))
            except httpx.HTTPError as error:
                raise _lost(error) from error
            except ValueError as error:
                raise Ended("unreadable page") from error

    @asynccontextmanager
    async def _response(
        self, path: str, query: Mapping[str, str], headers: Mapping[str, str], timeout: httpx.Timeout
    ) -> AsyncGenerator[httpx.Response, None]:
        rest = self._rest
        url = build_url(rest.base, path, query)
        request = rest.io.request("GET", url, headers={**rest.headers, **headers}, timeout=timeout)
        try:
            response = await rest.io.send(request)
        except httpx.HTTPError as error:
            raise _lost(error) from error
        self._active = response
        try:
            # It may have been closed while the connection was being made.
            if self.closed:
                raise Ended("closed")
            yield response
        finally:
            self._active = None
            await rest.io.close(response)

    async def _refuse(self, response: httpx.Response) -> None:
        try:
            data = await read_all(self._rest.io, response, time.monotonic() + _PAGE)
        except httpx.HTTPError as error:
            raise _lost(error) from error
        answer = ApiError(response.status_code, response.headers, data)
        raise Ended(str(answer), answer)


def _lost(error: httpx.HTTPError) -> Ended:
    return Ended(str(error) or type(error).__name__)
