-- Webhooks: a subscription is a row and a position over the event log; only failed deliveries become rows.
CREATE TABLE webhook_subscription (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES account,
  -- Settings of its owner. `version` grows with each change, so that the dispatcher that has leased it reads it again.
  url text NOT NULL,
  event_types text[] NOT NULL DEFAULT '{}',    -- as given, including match.*; empty for all
  sports text[] NOT NULL DEFAULT '{}',
  leagues bigint[] NOT NULL DEFAULT '{}',
  dispatcher_group text NOT NULL DEFAULT 'shared', -- 'shared', or the name of its dedicated dispatchers
  paused boolean NOT NULL DEFAULT false,
  secret text NOT NULL,                        -- encrypted with SECRET_KEY
  previous_secret text,                        -- also signs for 24 hours after the rotation
  rotated_at timestamptz,
  version bigint NOT NULL DEFAULT 1,
  -- The custom resource that declares it and owns its settings; null if it was created in the account.
  managed_namespace text,
  managed_name text,
  managed_uid text,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- Its current state.
  position bigint NOT NULL,                    -- every event up to this cursor was delivered, has a row, or was filtered out
  last_sent_at timestamptz,                    -- last request, including pings
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure text,                           -- short text, never with a secret
  failing_since timestamptz,                   -- first failure after the last success
  failures integer NOT NULL DEFAULT 0,         -- consecutive
  disabled_at timestamptz,
  disabled_reason text CHECK (disabled_reason IN ('no_success', 'gone')),
  -- Lease of the delivering dispatcher, which renews it.
  holder text,
  generation bigint NOT NULL DEFAULT 0,
  lease_expires_at timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);                      -- position and lease are written constantly, in place
CREATE INDEX webhook_subscription_account ON webhook_subscription (account_id);
CREATE INDEX webhook_subscription_holder ON webhook_subscription (dispatcher_group) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX webhook_subscription_managed ON webhook_subscription (managed_uid) WHERE ended_at IS NULL;

-- Running dispatchers: the subscriptions of a group are divided among its dispatchers.
CREATE TABLE webhook_dispatcher (
  name text PRIMARY KEY,
  dispatcher_group text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- Deliveries that failed at least once.
CREATE TABLE webhook_delivery (
  id text PRIMARY KEY,                         -- X-Service-Delivery-Id
  subscription_id bigint NOT NULL REFERENCES webhook_subscription,
  event_id text NOT NULL,
  event_type text NOT NULL,
  envelope text NOT NULL,                      -- kept for retries, since the log may no longer have it
  state text NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL,
  next_attempt_at timestamptz,                 -- for a pending delivery
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX webhook_delivery_pending ON webhook_delivery (subscription_id, next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhook_delivery_subscription ON webhook_delivery (subscription_id, created_at);
CREATE INDEX webhook_delivery_age ON webhook_delivery (updated_at) WHERE state <> 'pending';

-- The log of attempts, written in batches: includes deliveries that succeeded at once, pings and tests.
CREATE TABLE webhook_attempt (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subscription_id bigint NOT NULL,
  delivery_id text NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  attempt integer NOT NULL,
  at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  status integer,                              -- status of the reply; null if there was none
  failure text,                                -- null if delivered
  next_attempt_at timestamptz
);
CREATE INDEX webhook_attempt_subscription ON webhook_attempt (subscription_id, id);
CREATE INDEX webhook_attempt_age ON webhook_attempt USING brin (at);

-- Pings and tests are evt_0_<n>, outside the cursor.
CREATE SEQUENCE webhook_event_number;
