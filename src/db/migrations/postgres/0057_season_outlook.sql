-- The outlook of seasons, one row a day: the newest is the present one, the others are the history. The job season_outlook
-- computes them, also for past weeks that have none.
CREATE TABLE season_outlook (
  season_id bigint NOT NULL REFERENCES season ON DELETE CASCADE,
  day date NOT NULL,                       -- UTC; of what was known at its end, or up to computed_at
  version text NOT NULL,                   -- of the matches, rules and sample that it was computed from; empty for a past week
  computed_at timestamptz NOT NULL,
  outlook json NOT NULL,                   -- analytics/outlook/outlook.ts has its type
  PRIMARY KEY (season_id, day)
);
