-- The counterparts of account_window, account_bucket and account_demand for publishable keys, which are counted separately.
CREATE TABLE publishable_window (
  account_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('day', 'month')),
  starts date NOT NULL,                    -- UTC
  used bigint NOT NULL,
  noticed smallint NOT NULL DEFAULT 0,     -- highest threshold, in percent, that the account has been notified of
  PRIMARY KEY (account_id, kind, starts)
) WITH (fillfactor = 70);
CREATE INDEX publishable_window_age ON publishable_window (starts);

CREATE UNLOGGED TABLE publishable_bucket (
  account_id bigint PRIMARY KEY,
  quota double precision NOT NULL,         -- tokens per second; also the capacity of the bucket
  tokens double precision NOT NULL,        -- below 0 if processes have admitted more, which is paid back
  at timestamptz NOT NULL
) WITH (fillfactor = 50);

CREATE UNLOGGED TABLE publishable_demand (
  account_id bigint NOT NULL,
  pod text NOT NULL,
  demand double precision NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, pod)
) WITH (fillfactor = 50);
