-- One row per team with finished matches in a season. The transaction that changes such a match increments `revision`, so that
-- figures that were computed from an earlier revision are known to be stale.
CREATE TABLE season_team (
  season_id bigint NOT NULL,
  team_id bigint NOT NULL,
  revision bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (season_id, team_id)
);
CREATE INDEX season_team_team ON season_team (team_id);
-- The same for all matches in a season.
CREATE TABLE season_revision (
  season_id bigint PRIMARY KEY,
  revision bigint NOT NULL DEFAULT 1
);

-- A team's sums over its finished matches in a season. They count while `revision` is the one in season_team.
CREATE TABLE team_figures (
  season_id bigint NOT NULL,
  team_id bigint NOT NULL,
  revision bigint NOT NULL,
  fingerprint bigint NOT NULL,             -- of the matches' ids and versions
  last_start double precision,             -- seconds since 1970; null without a counted match
  has_lineups boolean NOT NULL,            -- whether each match has what the name says
  has_scorers boolean NOT NULL,
  is_detailed boolean NOT NULL,
  matches integer NOT NULL,
  wins integer NOT NULL,
  draws integer NOT NULL,
  losses integer NOT NULL,
  goals integer NOT NULL,
  goals_against integer NOT NULL,
  penalties integer NOT NULL,
  own_goals integer NOT NULL,
  assists integer NOT NULL,
  yellow_cards integer,                    -- null if unknown in a match
  red_cards integer,
  clean_sheets integer NOT NULL,
  PRIMARY KEY (season_id, team_id)
);

-- A player's sums over the same matches, written together with the team's row.
CREATE TABLE player_figures (
  season_id bigint NOT NULL,
  team_id bigint NOT NULL,
  player_key text NOT NULL,                -- as in match_player
  participant_id bigint,
  player_name text NOT NULL,               -- in the last match
  last_start double precision NOT NULL,
  matches integer NOT NULL,
  starts integer,                          -- null if unknown in a match
  minutes integer,
  goals integer NOT NULL,
  penalties integer NOT NULL,
  own_goals integer NOT NULL,
  assists integer NOT NULL,
  yellow_cards integer NOT NULL,
  red_cards integer NOT NULL,
  clean_sheets integer,
  is_goalkeeper boolean NOT NULL,
  shirt_numbers json NOT NULL,             -- [number, matches] in the order of first use
  positions json NOT NULL,
  PRIMARY KEY (season_id, team_id, player_key)
);
CREATE INDEX player_figures_participant ON player_figures (participant_id) WHERE participant_id IS NOT NULL;

-- Whether any player in a season has an assist, or a goal from a penalty. It counts while `revision` is the one in season_revision.
CREATE TABLE season_figures (
  season_id bigint PRIMARY KEY,
  revision bigint NOT NULL,
  assists boolean NOT NULL,
  penalties boolean NOT NULL
);

INSERT INTO season_team (season_id, team_id)
SELECT season_id, home_id FROM match WHERE status = 'finished' UNION SELECT season_id, away_id FROM match WHERE status = 'finished';
INSERT INTO season_revision (season_id) SELECT DISTINCT season_id FROM season_team;
