"""Reads the exports in a folder with pandas and with DuckDB, and prints what it found."""

import json
import sys

import duckdb
import pandas

folder = sys.argv[1]
found = {}
for reader in ("csv", "parquet", "ndjson"):
    path = f"{folder}/matches.{reader}"
    frame = pandas.read_json(path, lines=True) if reader == "ndjson" else getattr(pandas, f"read_{reader}")(path)
    call = "read_json" if reader == "ndjson" else f"read_{reader}"
    rows, first = duckdb.sql(f"SELECT count(*), min(id) FROM {call}('{path}')").fetchall()[0]
    found[reader] = [len(frame), int(frame.id.min()), rows, first]

matches = pandas.read_parquet(f"{folder}/matches.parquet").set_index("id")
incidents = pandas.read_parquet(f"{folder}/incidents.parquet")
goal = incidents.iloc[0]
found["types"] = {name: str(matches.dtypes[name]) for name in ("scheduled_start", "time_tbd")}
found["goal"] = [int(goal.minute), goal.player_name, json.loads(goal.payload)["goal_type"]]
found["score"] = int(matches.loc[goal.match_id].home_score)
found["unknown"] = int(matches.home_score.isna().sum())
found["odds"] = duckdb.sql(f"SELECT choice_name, decimal_value FROM '{folder}/odds.parquet' ORDER BY 2").fetchall()
found["joined"] = duckdb.sql(
    f"SELECT m.home_name, l.player_name FROM '{folder}/lineups.parquet' l"
    f" JOIN '{folder}/matches.parquet' m ON m.id = l.match_id WHERE l.side = 'home' AND NOT l.is_substitute"
).fetchall()
print(json.dumps(found))
