-- Whether the receiver at the URL of a subscription wants to be sent events, and how far a replay goes.
ALTER TABLE webhook_subscription
  ADD unconfirmed_since timestamptz,                  -- since when nothing is sent until its receiver has answered a challenge; null: it is sent to
  ADD confirmed_at timestamptz,                       -- when the receiver at this URL has answered one; null: it was not asked
  ADD challenges integer NOT NULL DEFAULT 0,          -- sent since the URL was set
  ADD challenged_at timestamptz,                      -- the last of them
  ADD challenge_failure text,                         -- why that one did not confirm the URL; null: it did, or there was none
  ADD replay_to bigint;                               -- where the latest replay ends, in the log; null: there was none
