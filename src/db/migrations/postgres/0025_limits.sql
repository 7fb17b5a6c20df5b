-- Accounts' use of the windows of their plans, over all processes. Each process adds its own counts.
CREATE TABLE account_window (
  account_id bigint NOT NULL,
  kind text NOT NULL CHECK (kind IN ('day', 'month')),
  starts date NOT NULL,                    -- UTC
  used bigint NOT NULL,
  noticed smallint NOT NULL DEFAULT 0,     -- highest threshold, in percent, that the account has been notified of
  PRIMARY KEY (account_id, kind, starts)
) WITH (fillfactor = 70);
CREATE INDEX account_window_age ON account_window (starts);

-- The burst of each account: a token bucket. A lost row means a full bucket, which is harmless.
CREATE UNLOGGED TABLE account_bucket (
  account_id bigint PRIMARY KEY,
  quota double precision NOT NULL,         -- tokens per second; also the capacity of the bucket
  tokens double precision NOT NULL,        -- below 0 if processes have admitted more, which is paid back
  at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Requests per second of each account in each process, for the shares of the bucket.
CREATE UNLOGGED TABLE account_demand (
  account_id bigint NOT NULL,
  pod text NOT NULL,
  demand double precision NOT NULL,
  seen_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, pod)
) WITH (fillfactor = 50);

-- Requests by day (UTC), key, endpoint and status; finished days move to ClickHouse if there is one. No foreign keys: use is
-- written in batches, which must not fail because of an account that has just been deleted.
CREATE TABLE account_usage (
  account_id bigint NOT NULL,
  day date NOT NULL,
  key_id bigint NOT NULL,
  endpoint text NOT NULL,                  -- /v1/event/{id}
  status smallint NOT NULL,
  requests bigint NOT NULL,
  billable bigint NOT NULL,
  PRIMARY KEY (account_id, day, key_id, endpoint, status)
) WITH (fillfactor = 70);
CREATE INDEX account_usage_day ON account_usage (day);

-- Activity that is not counted per request.
CREATE TABLE account_activity (
  account_id bigint NOT NULL,
  day date NOT NULL,
  streams_peak integer NOT NULL DEFAULT 0,
  events_delivered bigint NOT NULL DEFAULT 0,
  webhook_attempts bigint NOT NULL DEFAULT 0,
  webhook_deliveries bigint NOT NULL DEFAULT 0, -- attempts that succeeded
  PRIMARY KEY (account_id, day)
) WITH (fillfactor = 70);
CREATE INDEX account_activity_day ON account_activity (day);

-- Number of the next part of a day's usage that moves to ClickHouse: late rows get a separate part there.
CREATE TABLE usage_moved (
  day date PRIMARY KEY,
  part integer NOT NULL
);
