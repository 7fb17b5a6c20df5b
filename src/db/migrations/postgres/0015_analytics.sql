-- The loader of the analytical store: its lease and its progress.
CREATE TABLE analytics_loader (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  generation bigint NOT NULL DEFAULT 0,
  holder text,
  expires_at timestamptz NOT NULL DEFAULT '-infinity',
  database_id uuid NOT NULL DEFAULT gen_random_uuid(), -- distinguishes this database from others that have used the same ClickHouse
  era integer NOT NULL DEFAULT 1,          -- copy of the history that queries use
  loaded_cursor bigint NOT NULL DEFAULT 0, -- change cursor up to which it is loaded
  removed_cursor bigint NOT NULL DEFAULT 0, -- loaded_cursor when a match was last removed from its former sample
  caught_up_at timestamptz,                -- when it last had all changes
  next_era integer,                        -- copy that is being built; null if none
  next_reason text CHECK (next_reason IN ('rebuild', 'restored')),
  next_cursor bigint NOT NULL DEFAULT 0
);
INSERT INTO analytics_loader DEFAULT VALUES;

-- New and changed prices of matches; the loader moves them into ClickHouse.
CREATE TABLE odds_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  match_id bigint NOT NULL,
  observed_at bigint NOT NULL,             -- ms, by the provider's clock
  provider text NOT NULL,
  bookmaker text,
  market_group text,
  market_name text NOT NULL,
  choice_name text NOT NULL,
  decimal_value double precision NOT NULL,
  opening_decimal double precision,
  winning boolean
);

-- Scores of the models on the matches of this installation, from the last backtest.
CREATE TABLE model_report (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  measured_at timestamptz NOT NULL,
  report json NOT NULL                     -- a BacktestReport: see analytics/backtest/scores.ts
);
