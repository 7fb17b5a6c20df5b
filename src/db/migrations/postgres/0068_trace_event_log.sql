-- The span that has moved the event here; see outbox.
ALTER TABLE event_log ADD COLUMN traceparent text;
