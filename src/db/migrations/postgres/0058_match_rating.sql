-- The Elo ratings by margin with which both sides enter a match, of sports that have such a rating. `touchline ratings` and the job
-- `ratings` compute them, also for matches to come.
CREATE TABLE match_rating (
  match_id bigint PRIMARY KEY REFERENCES match ON DELETE CASCADE,
  -- The fixture that they were computed for.
  home_id bigint NOT NULL,
  away_id bigint NOT NULL,
  home float8 NOT NULL,
  away float8 NOT NULL,
  home_matches int NOT NULL,               -- rated matches before this one
  away_matches int NOT NULL
);
