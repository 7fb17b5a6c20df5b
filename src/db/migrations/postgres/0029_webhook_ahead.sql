-- Deliveries finished beyond the position, which waits for the slowest attempt: after a crash they are not repeated.
ALTER TABLE webhook_subscription
  ADD ahead jsonb;                                    -- {position, reach, unfinished}, for this position; null if empty
