"""Follows a stream and prints the id of each event: `follow.py sync|async [file of the position]`.

With KILL_AFTER it kills itself while it handles that event, as kill -9 does.
"""

import asyncio
import os
import signal
import sys

from touchline import ApiError, AsyncTouchline, FileStorage, StreamState, Touchline

MODE = sys.argv[1]
STORAGE = FileStorage(sys.argv[2]) if len(sys.argv) > 2 else None
FILTERS = {
    "event_type": os.environ.get("EVENT_TYPE"),
    "cursor": int(os.environ.get("CURSOR", "0")) or None,
}


def show(*words: object) -> None:
    print(*words, flush=True)


left = int(os.environ.get("KILL_AFTER", "-1"))


def handle(event) -> None:
    global left
    show("event", event["id"])
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)


def show_state(state: StreamState) -> None:
    show("state", state.phase, state.reason)


def show_page(page) -> None:
    show("matches", len(page["events"]), page["has_more"])


OPTIONS = {
    "storage": STORAGE,
    "on_state": show_state,
    "on_sync": show_page if "SYNC" in os.environ else None,
    **FILTERS,
}


def follow() -> None:
    with Touchline() as client, client.stream(**OPTIONS) as stream:
        for event in stream:
            handle(event)


async def follow_async() -> None:
    async with AsyncTouchline() as client, client.stream(**OPTIONS) as stream:
        async for event in stream:
            handle(event)


try:
    follow() if MODE == "sync" else asyncio.run(follow_async())
except ApiError as error:
    show("refused", error.status, error.code, error.detail)
