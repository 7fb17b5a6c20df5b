"""A user's program with all types: `mypy --strict` finds exactly the marked errors."""

from __future__ import annotations

import pandas
from touchline import (
    ApiError,
    AsyncTouchline,
    FileStorage,
    StreamPosition,
    StreamState,
    Touchline,
    flat,
    to_frame,
    verify_webhook,
)
from touchline.models import EventFrame, Match, MatchDetail, Sport, SyncReply

api = Touchline(key="sk_live_x", base_url="https://sports.example.com")


def rest() -> None:
    match: MatchDetail = api.event(1, blocks=["incidents"])
    name: str = match["tournament"]
    sports: list[Sport] = api.sports()["sports"]
    matches: list[Match] = list(api.events_all(sport="football", tournament=[1, 2], season="2023/24", limit=100))
    for page in api.events_pages(sport=["football", "tennis"]):
        print(page["next_after"], page["total"])
    created = api.post_account_webhooks(body={"url": "https://fans.example/hook"})
    api.patch_account_webhook(created["id"], body={"event_types": ["match.goal"]})
    api.delete_account_webhook(created["id"])
    frame: pandas.DataFrame = to_frame(matches)
    row = flat(matches[0])
    api.event("x")  # type: ignore[arg-type]
    api.event()  # type: ignore[call-arg]
    api.events(sport="quidditch")  # type: ignore[arg-type]
    api.events(sprot="football")  # type: ignore[call-arg]
    api.sports()["things"]  # type: ignore[typeddict-item]
    match["home"]  # type: ignore[typeddict-item]
    print(name, sports, frame, row)


def refused() -> bool:
    try:
        rest()
    except ApiError as error:
        return error.status == 429 and error.code == "rate_limited" and error.type is not None
    return False


def take(page: SyncReply) -> None:
    print([match["status"] for match in page["events"]], page["deleted"])


def show(state: StreamState) -> None:
    print(state.phase, state.retry_in)


class Database:
    async def load(self) -> StreamPosition | None:
        return None

    async def save(self, position: StreamPosition) -> None:
        print(position.cursor)


def follow() -> None:
    with api.stream(storage=FileStorage("position.json"), on_sync=take, on_state=show) as stream:
        for event in stream:
            frame: EventFrame = event
            if frame["type"] == "match.goal":
                print(frame["data"]["match"]["home"]["score"])
    api.stream(storage=Database())  # type: ignore[arg-type]


async def follow_async() -> None:
    async with AsyncTouchline() as client:
        print((await client.event(1))["id"])
        async for match in client.events_all():
            print(match["id"])
        async with client.stream(storage=Database(), on_sync=take) as stream:
            async for event in stream:
                print(event["id"])


def receive(headers: dict[str, str], body: bytes) -> str:
    event = verify_webhook(headers, body, ["whsec_1", "whsec_2"])
    if event["type"] == "webhook.challenge":
        return event["data"]["challenge"]
    if event["type"] == "webhook.ping" or event["type"] == "webhook.test":
        return event["data"]["sent_at"]
    if event["type"] == "webhook.failing" or event["type"] == "webhook.recovered":
        return event["data"]["host"]
    if event["type"] == "webhook.disabled":
        return event["data"]["reason"]
    if event["type"] == "account.changed":
        return event["data"]["action"]
    return event["data"]["match"]["home"]["name"]
