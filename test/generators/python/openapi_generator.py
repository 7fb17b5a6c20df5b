"""Prints what the service answers to the Python client that openapi-generator has made."""
import inspect
import json
import os

import openapi_client.api

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

apis = [one for one in vars(openapi_client.api).values() if isinstance(one, type)]


def call(operation):
    """Returns status and reply."""
    name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in operation["id"])
    api = next(one for one in apis if hasattr(one, f"{name}_with_http_info"))
    with ApiClient(Configuration(host=os.environ["TOUCHLINE_URL"])) as asking:
        asking.default_headers.update(operation["headers"])
        method = getattr(api(asking), f"{name}_with_http_info")
        arguments = inspect.signature(method).parameters
        given = operation["inPath"] | operation["query"]
        values = {name if name in arguments else f"var_{name}": value for name, value in given.items()}
        if operation["body"] is not None:
            body = next(one for one in arguments if one.endswith(("_request", "_inner")) or one == "feed_update")
            values[body] = operation["body"]
        try:
            reply = method(**values)
        except ApiException as failure:
            return {"status": failure.status}
        isolated = isinstance(reply.data, bytes)
        return {"status": reply.status_code, "reply": None if isolated else asking.sanitize_for_serialization(reply.data)}


with open(os.environ["OPERATIONS"]) as file:
    answers = {one["id"]: call(one) for one in json.load(file)}

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
            "answers": answers,
        }
    )
)
