-- Calendars: the number that tells a calendar program that an entry has moved, entries that are gone, and members' own calendars.
ALTER TABLE match ADD schedule_changes integer NOT NULL DEFAULT 0; -- changes of start, sides, tournament, and of postponed or cancelled

-- Matches that were deleted or have other sides or another tournament now, as they were before: calendars show them as cancelled.
CREATE TABLE former_fixture (
  match_id bigint NOT NULL,                -- may be deleted
  tournament_id bigint NOT NULL,
  home_id bigint NOT NULL,
  away_id bigint NOT NULL,
  scheduled_start timestamptz NOT NULL,
  time_tbd boolean NOT NULL,
  schedule_changes integer NOT NULL,       -- including this change
  left_at timestamptz NOT NULL,
  PRIMARY KEY (match_id, tournament_id, home_id, away_id)
);
CREATE INDEX former_fixture_tournament ON former_fixture (tournament_id);
CREATE INDEX former_fixture_home ON former_fixture (home_id);
CREATE INDEX former_fixture_away ON former_fixture (away_id);
CREATE INDEX former_fixture_start ON former_fixture (scheduled_start);

-- The token in the addresses of a member's calendars.
CREATE TABLE calendar_token (
  member_id bigint PRIMARY KEY REFERENCES member ON DELETE CASCADE,
  hash bytea NOT NULL UNIQUE,              -- SHA-256 of the token
  created_at timestamptz NOT NULL
);

-- Teams and tournaments in the calendar of a member.
CREATE TABLE member_favourite (
  member_id bigint NOT NULL REFERENCES member ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('team', 'tournament')),
  entity_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (member_id, kind, entity_id)
);
