"""Prints what the service answers to the Python client of the repository, for threads and for asyncio."""

import asyncio
import json
import os

from touchline import ApiError, AsyncTouchline, Touchline

TOURNAMENT, EVENT = int(os.environ["TOURNAMENT"]), int(os.environ["EVENT"])
MISSING = 9007199254740991


def found(matches, detail, standings, missing):
    return {
        "ids": [match["id"] for match in matches["events"]],
        "home": detail["participants"][0]["name"],
        "score": detail["participants"][0]["score"],
        "incidents": len(detail["incidents"]),
        "leader": standings["table"][0]["name"],
        "points": standings["table"][0]["points"],
        "missing": missing,
    }


def ask():
    with Touchline() as api:
        try:
            missing = api.event(MISSING)
        except ApiError as error:
            missing = error.code
        matches = api.events(tournament=TOURNAMENT, from_="2024-01-01", limit=5)
        return found(matches, api.event(EVENT), api.tournament_standings(TOURNAMENT), missing)


async def ask_async():
    async with AsyncTouchline() as api:
        matches, detail, standings, missing = await asyncio.gather(
            api.events(tournament=TOURNAMENT, from_="2024-01-01", limit=5),
            api.event(EVENT),
            api.tournament_standings(TOURNAMENT),
            api.event(MISSING),
            return_exceptions=True,
        )
        return found(matches, detail, standings, missing.code)


replies = [ask(), asyncio.run(ask_async())]
assert replies[0] == replies[1], replies
print(json.dumps(replies[0]))
