-- The last time that events were dropped from the log before a subscription had looked at them, until it is enabled anew:
-- {"at": UTC, "from": the cursor that it had got to, "to": the last one that is gone}.
ALTER TABLE webhook_subscription ADD COLUMN gap jsonb;
