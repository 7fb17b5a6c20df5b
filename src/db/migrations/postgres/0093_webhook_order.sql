-- The order in which a subscription's events are sent, and how fast.
ALTER TABLE webhook_subscription
  ADD ordering text NOT NULL DEFAULT 'none',  -- 'none' or 'match'
  ADD max_per_second integer,                 -- requests within any second; null for the operator's limit
  ADD max_in_flight integer,                  -- requests without a reply; null for the service's limit
  ADD rests_until timestamptz;                -- until then no event is sent, because the last reply with status 429 asked for it
