-- Match state, its cards in pieces (DECISIONS: rendered once), and the derived rows that lists and tables read.
CREATE TABLE match (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sport text NOT NULL,
  tournament_id bigint NOT NULL REFERENCES tournament,
  season_id bigint NOT NULL REFERENCES season,
  home_id bigint NOT NULL REFERENCES participant,
  away_id bigint NOT NULL REFERENCES participant,
  scheduled_start timestamptz NOT NULL,
  time_tbd boolean NOT NULL DEFAULT false,
  round_num integer,
  round_name text,
  group_name text,
  status text NOT NULL DEFAULT 'scheduled' CHECK (status IN ('scheduled', 'live', 'finished')),
  status_detail text NOT NULL DEFAULT 'not_started',
  minute integer,
  home_score integer,
  away_score integer,
  period_scores json NOT NULL DEFAULT '[]', -- json, not jsonb: the order of its members is the wire's
  venue_id bigint REFERENCES venue,
  referee text,
  attendance integer,
  importance smallint CHECK (importance BETWEEN 0 AND 100),   -- raises the tournament's; null for the tournament's own
  lineup_confirmed boolean,
  finalized boolean NOT NULL DEFAULT false,
  start_time text,                         -- kick-off as written by the source
  sequence bigint NOT NULL DEFAULT 0,      -- sequence of its last event
  version bigint NOT NULL DEFAULT 1,       -- incremented by each change of its card
  incident_seq integer NOT NULL DEFAULT 0, -- number of its last incident id
  provenance jsonb NOT NULL DEFAULT '{}',  -- field or block -> [provider, observed_at in ms, internal data]
  detail_at timestamptz,                   -- time of the last change of a block
  status_changed_at timestamptz,
  updated_at timestamptz NOT NULL
);

-- The final result: by the score, or else by the shoot-out (PEN, SO), which is not part of the score. home, away or draw; null without a score.
CREATE FUNCTION match_winner(home integer, away integer, periods json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN home > away THEN 'home'
  WHEN home < away THEN 'away'
  WHEN home = away THEN coalesce((
    SELECT CASE WHEN (p ->> 'home')::int > (p ->> 'away')::int THEN 'home' WHEN (p ->> 'home')::int < (p ->> 'away')::int THEN 'away' END
    FROM json_array_elements(periods) p WHERE p ->> 'period' IN ('PEN', 'SO') LIMIT 1), 'draw')
END;

-- Dates of seasons: as given, or else from the matches; `sorted_by` is never null.
CREATE VIEW season_dates AS
SELECT s.id, s.tournament_id, s.season_label, coalesce(s.start_date, played.first) AS starts, coalesce(s.end_date, played.last) AS ends,
  coalesce(s.start_date, played.first,
    make_date(left(s.season_label, 4)::int, CASE WHEN s.season_label LIKE '%/%' THEN 7 ELSE 1 END, 1)) AS sorted_by
FROM season s CROSS JOIN LATERAL (
  SELECT (min(scheduled_start) AT TIME ZONE 'UTC')::date AS first, (max(scheduled_start) AT TIME ZONE 'UTC')::date AS last
  FROM match m WHERE m.season_id = s.id) played;

-- The season of that day, or else the most recent one that has begun, or else the next.
CREATE FUNCTION current_season(of_tournament bigint, today date) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT id FROM season_dates WHERE tournament_id = of_tournament
  ORDER BY coalesce(starts <= today AND ends >= today, false) DESC, sorted_by <= today DESC,
    CASE WHEN sorted_by <= today THEN sorted_by END DESC NULLS LAST, sorted_by, id DESC LIMIT 1);

CREATE INDEX match_pairing ON match (season_id, home_id, away_id);
CREATE INDEX match_start ON match (scheduled_start, id);
CREATE INDEX match_tournament_start ON match (tournament_id, scheduled_start, id);
CREATE INDEX match_season_start ON match (season_id, scheduled_start, id);
CREATE INDEX match_home ON match (home_id, scheduled_start);
CREATE INDEX match_away ON match (away_id, scheduled_start);
CREATE INDEX match_live ON match (scheduled_start, id) WHERE status = 'live';
CREATE INDEX match_unfinalized ON match (updated_at) WHERE status = 'finished' AND NOT finalized;

-- The list item, and the members that the detail adds besides the blocks. Both are text that replies concatenate unchanged.
CREATE TABLE match_card (
  match_id bigint PRIMARY KEY REFERENCES match ON DELETE CASCADE,
  item text NOT NULL,                      -- {"id":…}, the list item
  detail text NOT NULL                     -- "season_label":…,…  members without braces
);

CREATE TABLE match_block (
  match_id bigint NOT NULL REFERENCES match ON DELETE CASCADE,
  block text NOT NULL,
  json text NOT NULL,
  source jsonb,                            -- incidents: {"<incident id>": "<provider's incident id>"}; statistics: {"<provider>": "<its figures as JSON>"}
  PRIMARY KEY (match_id, block)
);

-- One row per player and match: participation and the figures of scorers' lists. Derived from incidents and line-ups.
CREATE TABLE match_player (
  match_id bigint NOT NULL REFERENCES match ON DELETE CASCADE,
  side text NOT NULL,
  player_key text NOT NULL,                -- p<participant id>, or folded name
  participant_id bigint REFERENCES participant,
  player_name text NOT NULL,
  appeared boolean NOT NULL,
  goals smallint NOT NULL DEFAULT 0,
  penalties smallint NOT NULL DEFAULT 0,
  assists smallint NOT NULL DEFAULT 0,
  PRIMARY KEY (match_id, side, player_key)
);
CREATE INDEX match_player_participant ON match_player (participant_id, match_id) WHERE participant_id IS NOT NULL;

-- Time when a provider reported that one of its matches does not exist: an earlier update that arrives late must not re-create it.
CREATE TABLE match_deletion (
  provider text NOT NULL,
  external_id text NOT NULL,
  observed_at bigint NOT NULL,             -- ms
  PRIMARY KEY (provider, external_id)
);

-- Rejected feed updates, whole, with the reasons.
CREATE TABLE feed_rejection (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  received_at timestamptz NOT NULL,
  provider text,
  update_text text NOT NULL,
  errors jsonb NOT NULL
);

-- Cards to be re-rendered because a name in them has changed; drained in small batches.
CREATE TABLE card_refresh (match_id bigint PRIMARY KEY REFERENCES match ON DELETE CASCADE);

-- Attribution of providers in meta.sources.
CREATE TABLE source_attribution (provider text PRIMARY KEY, attribution text NOT NULL);
