-- The span that has written the event, as `traceparent` of W3C; null: it is in no sampled trace.
ALTER TABLE outbox ADD COLUMN traceparent text;
