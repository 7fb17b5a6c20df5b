-- The outbox, the embedded event log, the relay's row, and the counter of sync.
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  match_id bigint NOT NULL,
  sport text NOT NULL,
  tournament_id bigint NOT NULL,
  type text NOT NULL,
  envelope text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- The embedded event log. In production the log is a Kafka topic, and this table stays empty.
CREATE TABLE event_log (
  cursor bigint PRIMARY KEY,
  match_id bigint NOT NULL,
  sport text NOT NULL,
  tournament_id bigint NOT NULL,
  type text NOT NULL,
  envelope text NOT NULL,
  appended_at timestamptz NOT NULL
);

CREATE TABLE event_log_floor (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  floor bigint NOT NULL DEFAULT 0          -- highest cursor that has been dropped
);
INSERT INTO event_log_floor DEFAULT VALUES;

CREATE TABLE relay (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  generation bigint NOT NULL DEFAULT 0,
  holder text,
  expires_at timestamptz NOT NULL DEFAULT '-infinity',
  base bigint NOT NULL DEFAULT 0,          -- cursor = base + offset in the log
  last_offset bigint NOT NULL DEFAULT 0,   -- last record known to be in the log; offsets start at 1
  change_seq bigint NOT NULL DEFAULT 0,    -- last assigned change cursor
  stamped_cursor bigint NOT NULL DEFAULT 0 -- all events up to this cursor have change cursors
);
INSERT INTO relay DEFAULT VALUES;

-- Pending changes: written by the transaction that changed the match; the relay assigns their change cursors in match_change.
CREATE TABLE match_touch (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  match_id bigint NOT NULL,
  tombstone jsonb                          -- {"reason","sport","tournament_id","merged_into"}: becomes a match_tombstone
);

CREATE TABLE match_change (
  match_id bigint PRIMARY KEY,
  change_cursor bigint NOT NULL UNIQUE,
  sport text NOT NULL,                     -- when the cursor was assigned: a filtered sync reads no others
  tournament_id bigint NOT NULL
);
CREATE INDEX match_change_sport ON match_change (sport, change_cursor);
CREATE INDEX match_change_tournament ON match_change (tournament_id, change_cursor);

CREATE TABLE match_tombstone (
  change_cursor bigint PRIMARY KEY,
  match_id bigint NOT NULL,
  sport text NOT NULL,
  tournament_id bigint NOT NULL,
  reason text NOT NULL,                    -- deleted, merged, moved
  merged_into bigint
);
CREATE INDEX match_tombstone_sport ON match_tombstone (sport, change_cursor);
CREATE INDEX match_tombstone_tournament ON match_tombstone (tournament_id, change_cursor);
