"""Prints what the service answers to the Python client that openapi-generator has made."""
import json
import os

from openapi_client import ApiClient, ApiException, CompetitionsApi, Configuration, MatchesApi, Problem

settings = Configuration(host=os.environ["TOUCHLINE_URL"], api_key={"ApiKey": os.environ["TOUCHLINE_KEY"]})
tournament, event = int(os.environ["TOURNAMENT"]), int(os.environ["EVENT"])

with ApiClient(settings) as client:
    matches = MatchesApi(client)
    found = matches.get_events(tournament=[tournament], var_from="2024-01-01", limit=5)
    detail = matches.get_event_by_id(event)
    standings = CompetitionsApi(client).get_tournament_standings_by_id(tournament)
    try:
        matches.get_event_by_id(9007199254740991)
        missing = None
    except ApiException as failure:
        assert isinstance(failure.data, Problem)
        missing = failure.data.code

print(
    json.dumps(
        {
            "ids": [match.id for match in found.events],
            "home": detail.participants[0].name,
            "score": detail.participants[0].score,
            "incidents": len(detail.incidents),
            "leader": standings.table[0].name,
            "points": standings.table[0].points,
            "missing": missing,
        }
    )
)
