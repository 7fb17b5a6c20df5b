-- The expected goals of matches to come and of live ones, from which win probabilities follow within the update that changes the score.
CREATE TABLE match_rates (
  match_id bigint PRIMARY KEY REFERENCES match ON DELETE CASCADE,
  -- The fixture that they were computed for.
  tournament_id bigint NOT NULL,
  home_id bigint NOT NULL,
  away_id bigint NOT NULL,
  scheduled_start timestamptz NOT NULL,
  expected_home float8 NOT NULL CHECK (expected_home > 0),
  expected_away float8 NOT NULL CHECK (expected_away > 0),
  basis text NOT NULL CHECK (basis IN ('model', 'average')),
  sample_cursor bigint NOT NULL,           -- the last change of the tournament's matches before they were computed
  computed_at timestamptz NOT NULL
);
