"""Prints what the service answers to the client that openapi-python-client has made."""
import datetime
import importlib
import inspect
import json
import os
import pkgutil
import typing

import touchline_client.api
from touchline_client import AuthenticatedClient, Client
from touchline_client.api.competitions import get_tournament_standings_by_id
from touchline_client.api.matches import get_event_by_id, get_events
from touchline_client.models import FeedMatchUpdate, PartialMatchDetail, Problem, Standings  # noqa: F401
from touchline_client.types import Unset

client = AuthenticatedClient(
    base_url=os.environ["TOUCHLINE_URL"], token=os.environ["TOUCHLINE_KEY"], prefix="", auth_header_name="X-API-Key"
)
tournament, event = int(os.environ["TOURNAMENT"]), int(os.environ["EVENT"])

matches = get_events.sync(client=client, tournament=[tournament], from_="2024-01-01", limit=5)
detail = get_event_by_id.sync(event, client=client)
standings = get_tournament_standings_by_id.sync(tournament, client=client)
missing = get_event_by_id.sync(9007199254740991, client=client)
assert isinstance(detail, PartialMatchDetail) and isinstance(standings, Standings) and isinstance(missing, Problem)

modules = {}
for package in pkgutil.iter_modules(touchline_client.api.__path__, "touchline_client.api."):
    for module in pkgutil.iter_modules(importlib.import_module(package.name).__path__, f"{package.name}."):
        modules[module.name.rsplit(".", 1)[-1].replace("_", "")] = module.name


def plain(value):
    """Returns the JSON of a reply."""
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value.to_dict() if hasattr(value, "to_dict") else value


def typed(name, kind, value):
    """Returns a value in the type of a parameter."""
    for one in (kind, *typing.get_args(kind)):
        if typing.get_origin(one) is list:
            # The client would repeat a parameter for each item.
            is_body = name == "body"
            return [typed(name, typing.get_args(one)[0], item) for item in value] if is_body else [",".join(map(str, value))]
        if hasattr(one, "from_dict"):
            return one.from_dict(value)
        if one is datetime.date:
            return datetime.date.fromisoformat(value)
    return value


def call(operation):
    """Returns status and reply."""
    name = modules.get(operation["id"].lower())
    if name is None:
        return {"status": None}
    module = importlib.import_module(name)
    signature = inspect.signature(module.sync_detailed).parameters
    given = operation["inPath"] | operation["query"]
    if operation["body"] is not None:
        given["body"] = operation["body"]
    named = {name if name in signature else f"{name}_": value for name, value in given.items()}
    values = {name: typed(name, signature[name].annotation, value) for name, value in named.items()}
    asking = Client(base_url=os.environ["TOUCHLINE_URL"], headers=operation["headers"])
    reply = module.sync_detailed(client=asking, **values)
    return {"status": reply.status_code, "reply": None if isinstance(reply.parsed, Unset) else plain(reply.parsed)}


with open(os.environ["OPERATIONS"]) as file:
    answers = {one["id"]: call(one) for one in json.load(file)}

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
            "answers": answers,
        }
    )
)
