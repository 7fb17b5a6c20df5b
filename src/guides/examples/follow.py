"""Follows the stream, and goes on where it was: pip install httpx httpx-sse"""
import json
import os
import random
import sys
import time

import httpx
from httpx_sse import connect_sse

URL = os.environ["TOUCHLINE_URL"]
KEY = {"X-API-Key": os.environ["TOUCHLINE_KEY"]}
FILTER = {"sport": "football", "event_type": "match.*"}
CURSOR_FILE = "touchline.cursor"  # ideally stored together with what you keep from the events
SILENCE_SECONDS = 45


def load():
    return open(CURSOR_FILE).read() if os.path.exists(CURSOR_FILE) else None


def save(cursor):
    with open(f"{CURSOR_FILE}.new", "w") as file:
        file.write(str(cursor))
    os.replace(f"{CURSOR_FILE}.new", CURSOR_FILE)


def handle(event):
    """May be called twice for an event, with the same id, after a crash."""
    match = event["data"]["match"]
    home, away = match["home"], match["away"]
    print(event["type"], event["id"], home["name"], home["score"], away["score"], away["name"], flush=True)


def close_gap(client, gap):
    """Reads what the stream did not send again. Returns the cursor from which it is complete."""
    if gap["reason"] != "limit":
        print("missed events are gone: read the matches by /v1/sync", file=sys.stderr)
        return gap["to"]
    cursor, more = gap["from"], True
    while more:
        reply = client.get(f"{URL}/v1/stream/replay", params={**FILTER, "since": cursor})
        reply.raise_for_status()
        page = reply.json()
        for event in page["events"]:
            handle(event)
        cursor, more = page["next_cursor"], page["has_more"]
        save(cursor)
    return cursor


def follow(client):
    cursor = load()
    headers = {} if cursor is None else {"Last-Event-ID": cursor}
    complete_to = 0
    with connect_sse(client, "GET", f"{URL}/v1/stream", params=FILTER, headers=headers) as source:
        source.response.raise_for_status()
        for sse in source.iter_sse():
            if sse.event == "stream.gap":
                complete_to = close_gap(client, json.loads(sse.data))
                continue
            if sse.id == "" or int(sse.id) <= complete_to:
                continue
            # Without data it is only the position, so that a narrow filter moves on too.
            if sse.data != "":
                handle(json.loads(sse.data))
            save(sse.id)


with httpx.Client(headers=KEY, timeout=SILENCE_SECONDS) as client:
    while True:
        try:
            follow(client)
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            print(status, error.request.url.path, file=sys.stderr)
            if 400 <= status < 500 and status != 429:
                sys.exit(1)  # a fault of the key, the plan or the filter
        except httpx.TransportError as error:
            print(error, file=sys.stderr)
        time.sleep(1 + 4 * random.random())
