-- Coverage of the matches of each season and tournament, measured in the background.
CREATE TABLE coverage_refresh (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  generation bigint NOT NULL DEFAULT 0,
  holder text,
  expires_at timestamptz NOT NULL DEFAULT '-infinity',
  measured_cursor bigint NOT NULL DEFAULT 0, -- change cursor up to which matches are included
  measured_on date NOT NULL DEFAULT '-infinity' -- day when all seasons were last measured (UTC)
);
INSERT INTO coverage_refresh DEFAULT VALUES;

CREATE TABLE season_coverage (
  season_id bigint PRIMARY KEY REFERENCES season ON DELETE CASCADE,
  tournament_id bigint NOT NULL,
  starts timestamptz,                       -- start of its first match
  events integer NOT NULL,
  due integer NOT NULL,                     -- matches that should have a result
  played integer NOT NULL,                  -- matches that can have details
  blocks json NOT NULL                      -- {"<block>": [matches that have it, matches whose block is full, the first day]}
);
CREATE INDEX season_coverage_tournament ON season_coverage (tournament_id);

CREATE TABLE tournament_coverage (
  tournament_id bigint PRIMARY KEY REFERENCES tournament ON DELETE CASCADE,
  events integer NOT NULL,
  depth text NOT NULL CHECK (depth IN ('full', 'partial', 'results', 'none')),
  coverage json NOT NULL,                   -- wire format
  last_match_id bigint                      -- newest finished match
);
