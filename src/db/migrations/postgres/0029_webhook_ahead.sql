-- What a dispatcher has finished beyond the position, which waits for the slowest attempt: after a crash it is not sent again.
ALTER TABLE webhook_subscription
  ADD ahead jsonb;                                    -- {position, reach, unfinished}: of this position; null: nothing
