"""Streams of events, for loops."""

from __future__ import annotations

import threading
from types import TracebackType

from ._follower import Follower
from ._io import run_now
from .models import EventFrame


class Stream:
    """Yields each event once, in the order of the log, and reconnects whenever it has to.

    An event counts as handled when the loop asks for the next one, or when the `with` block ends without an exception:
    then the position moves past it and is stored. After a crash the events since the last stored position come again,
    with the same ids; none is lost.

    Raises ApiError if the service refuses the key, the plan or a filter. Errors of the storage and of callbacks, such
    as a full disk, end the loop too, and the position stays before the event.
    """

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self._events = follower.events()
        self._is_waiting = False
        # The thread of the loop.
        self._thread: int | None = None

    @property
    def cursor(self) -> int | None:
        """Cursor of the last event that was handled."""
        return self._follower.cursor

    def close(self) -> None:
        """Ends the loop. Other threads and signal handlers may call it. The event at hand does not count as handled."""
        self._follower.connection.close()
        # Only the thread of the loop may touch what the loop uses. In another one's case the loop ends itself.
        if not self._is_waiting and self._thread in (None, threading.get_ident()):
            run_now(self._events.aclose())

    def __iter__(self) -> Stream:
        return self

    def __next__(self) -> EventFrame:
        self._thread = threading.get_ident()
        event = run_now(self._next())
        if event is None:
            raise StopIteration
        return event

    async def _next(self) -> EventFrame | None:
        self._is_waiting = True
        try:
            return await anext(self._events, None)
        finally:
            self._is_waiting = False

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if kind is None:
                run_now(self._follower.handled())
        finally:
            self.close()


class AsyncStream:
    """The same as `Stream` for `async for` and `async with`."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self._events = follower.events()
        self._is_waiting = False

    @property
    def cursor(self) -> int | None:
        """Cursor of the last event that was handled."""
        return self._follower.cursor

    async def aclose(self) -> None:
        """Ends the loop. Other tasks may call it. The event at hand does not count as handled."""
        self._follower.connection.close()
        if not self._is_waiting:
            await self._events.aclose()

    def __aiter__(self) -> AsyncStream:
        return self

    async def __anext__(self) -> EventFrame:
        self._is_waiting = True
        try:
            return await anext(self._events)
        finally:
            self._is_waiting = False

    async def __aenter__(self) -> AsyncStream:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                await self._follower.handled()
        finally:
            await self.aclose()
