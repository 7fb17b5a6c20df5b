"""Prints what the service answers to the client that openapi-python-client has made."""
import json
import os

from touchline_client import AuthenticatedClient
from touchline_client.api.competitions import get_tournament_standings_by_id
from touchline_client.api.matches import get_event_by_id, get_events
from touchline_client.models import FeedMatchUpdate, MatchDetail, Problem, Standings  # noqa: F401

client = AuthenticatedClient(
    base_url=os.environ["TOUCHLINE_URL"], token=os.environ["TOUCHLINE_KEY"], prefix="", auth_header_name="X-API-Key"
)
tournament, event = int(os.environ["TOURNAMENT"]), int(os.environ["EVENT"])

matches = get_events.sync(client=client, tournament=[tournament], from_="2024-01-01", limit=5)
detail = get_event_by_id.sync(event, client=client)
standings = get_tournament_standings_by_id.sync(tournament, client=client)
missing = get_event_by_id.sync(9007199254740991, client=client)
assert isinstance(detail, MatchDetail) and isinstance(standings, Standings) and isinstance(missing, Problem)

print(
    json.dumps(
        {
            "ids": [match.id for match in matches.events],
            "home": detail.participants[0].name,
            "score": detail.participants[0].score,
            "incidents": len(detail.incidents),
            "leader": standings.table[0].name,
            "points": standings.table[0].points,
            "missing": missing.code,
        }
    )
)
