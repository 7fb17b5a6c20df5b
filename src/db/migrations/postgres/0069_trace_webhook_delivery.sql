-- The span that has moved the event into the log, for the spans of later attempts.
ALTER TABLE webhook_delivery ADD COLUMN traceparent text;
