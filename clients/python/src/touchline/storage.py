"""Where a stream keeps its position beyond the life of a process."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple, Protocol


class StreamPosition(NamedTuple):
    """cursor: of the last event that was handled; None while the first pages of matches are read.

    sync_cursor: of the last page of matches, so that the next pages have only changes.
    """

    cursor: int | None
    sync_cursor: str | None = None


class Storage(Protocol):
    """A table of a database is best: in the same transaction as what you keep from the events."""

    def load(self) -> StreamPosition | None: ...

    def save(self, position: StreamPosition) -> None: ...


class AsyncStorage(Protocol):
    async def load(self) -> StreamPosition | None: ...

    async def save(self, position: StreamPosition) -> None: ...


class FileStorage:
    """Keeps the position in a file, which a crash of the process leaves whole."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)

    def load(self) -> StreamPosition | None:
        """Raises ValueError for a file that is no position: beginning anew would lose events."""
        try:
            text = self._path.read_text("utf-8")
        except FileNotFoundError:
            return None
        try:
            value = json.loads(text)
            cursor, sync_cursor = value["cursor"], value["sync_cursor"]
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{self._path} does not have the position of a stream.") from None
        is_cursor = cursor is None or (isinstance(cursor, int) and not isinstance(cursor, bool) and cursor >= 0)
        if not is_cursor or not (sync_cursor is None or isinstance(sync_cursor, str)):
            raise ValueError(f"{self._path} does not have the position of a stream.")
        return StreamPosition(cursor, sync_cursor)

    def save(self, position: StreamPosition) -> None:
        written = self._path.with_name(f"{self._path.name}.new")
        written.write_text(json.dumps(position._asdict()), "utf-8")
        os.replace(written, self._path)
