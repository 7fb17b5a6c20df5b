"""Server-sent events as signals: events, positions and gaps."""

from __future__ import annotations

import codecs
import json
from dataclasses import dataclass
from typing import Literal, cast

from .models import EventFrame

# In characters; an envelope has at most 64 KiB. A line without an end would fill the memory.
_LONGEST_LINE = 1_048_576

GapReason = Literal["limit", "expired", "ahead"]


@dataclass(frozen=True)
class Position:
    cursor: int


@dataclass(frozen=True)
class Gap:
    from_: int
    to: int
    reason: GapReason


Signal = EventFrame | Position | Gap


class Parser:
    """Takes bytes in pieces of any size, and returns the signals of completed blocks. Raises ValueError."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._id: str | None = None
        self._event = ""
        self._data: list[str] = []

    def feed(self, chunk: bytes) -> list[Signal]:
        # Only line feeds separate lines: a text may have other line separators of Unicode.
        *lines, self._rest = (self._rest + self._decoder.decode(chunk)).split("\n")
        if len(self._rest) > _LONGEST_LINE:
            raise ValueError("a line without an end")
        signals: list[Signal] = []
        for line in lines:
            signal = self._take(line.removesuffix("\r"))
            if signal is not None:
                signals.append(signal)
        return signals

    def _take(self, line: str) -> Signal | None:
        if line != "":
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "id":
                self._id = value
            elif field == "event":
                self._event = value
            elif field == "data":
                self._data.append(value)
            return None
        signal = _signal(self._id, self._event, "\n".join(self._data))
        self._id, self._event, self._data = None, "", []
        return signal


def _signal(cursor: str | None, event: str, data: str) -> Signal | None:
    if event == "stream.gap":
        gap = json.loads(data)
        return Gap(int(gap["from"]), int(gap["to"]), gap["reason"])
    if cursor is None:
        return None
    if data == "":
        return Position(int(cursor))
    envelope = json.loads(data)
    if not isinstance(envelope["id"], str):
        raise ValueError("an event without an id")
    return cast(EventFrame, {"cursor": int(cursor), **envelope})
