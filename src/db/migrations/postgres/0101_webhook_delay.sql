-- How long a subscription's events are held, so that they are not ahead of the television.
ALTER TABLE webhook_subscription
  ADD delay integer NOT NULL DEFAULT 0,        -- seconds
  ADD last_due bigint;                         -- with a delay: the newest event that was due when the position was saved
