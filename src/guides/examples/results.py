# python3 results.py Argentina
import json
import os
import sys
from urllib.parse import urlencode
from urllib.request import Request, urlopen


def get(path, **query):
    url = f"{os.environ['TOUCHLINE_URL']}{path}?{urlencode(query)}"
    request = Request(url, headers={"X-API-Key": os.environ["TOUCHLINE_KEY"]})
    with urlopen(request) as response:
        return json.load(response)


name = sys.argv[1] if len(sys.argv) > 1 else "Argentina"
found = get("/v1/participants/search", q=name, limit=1)["participants"]
if not found:
    sys.exit(f"Nobody is called {name}.")
for match in get(f"/v1/participant/{found[0]['id']}/events", when="past", limit=5)["events"]:
    sides = [f"{side['name']} {side['score']}" for side in match["participants"]]
    print(match["scheduled_start"][:10], *sides)
