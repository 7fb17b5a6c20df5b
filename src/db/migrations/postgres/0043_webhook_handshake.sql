-- Confirmation that the receiver at a subscription's URL wants events, and the end of a replay.
ALTER TABLE webhook_subscription
  ADD unconfirmed_since timestamptz,                  -- start of the pause until its receiver answers a challenge; null if it receives events
  ADD confirmed_at timestamptz,                       -- when the receiver at this URL answered one; null if none was sent
  ADD challenges integer NOT NULL DEFAULT 0,          -- challenges sent since the URL was set
  ADD challenged_at timestamptz,                      -- last challenge
  ADD challenge_failure text,                         -- reason why it did not confirm the URL; null if it did, or there was none
  ADD replay_to bigint;                               -- log position where the latest replay ends; null if there was none
