-- The loader of the analytical store: its lease, and what of its work others have to know.
CREATE TABLE analytics_loader (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  generation bigint NOT NULL DEFAULT 0,
  holder text,
  expires_at timestamptz NOT NULL DEFAULT '-infinity',
  database_id uuid NOT NULL DEFAULT gen_random_uuid(), -- tells this database from another one that has used the same ClickHouse
  era integer NOT NULL DEFAULT 1,          -- the copy of the history that is answered from
  loaded_cursor bigint NOT NULL DEFAULT 0, -- the changes that are in it
  removed_cursor bigint NOT NULL DEFAULT 0, -- up to where it was loaded when a match was last removed from the place that it had
  caught_up_at timestamptz,                -- when all changes were in it
  next_era integer,                        -- the copy that is being built; null: none
  next_reason text CHECK (next_reason IN ('rebuild', 'restored')),
  next_cursor bigint NOT NULL DEFAULT 0
);
INSERT INTO analytics_loader DEFAULT VALUES;

-- Each price of a match that is new or has changed; the loader moves them into ClickHouse.
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

-- How good the models were on the matches of this installation: what the last backtest found.
CREATE TABLE model_report (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  measured_at timestamptz NOT NULL,
  report json NOT NULL                     -- a BacktestReport: see analytics/backtest/scores.ts
);
