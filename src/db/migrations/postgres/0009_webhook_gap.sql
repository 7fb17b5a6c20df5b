-- The last time that events were dropped from the log before a subscription had read them, until it is enabled again:
-- {"at": UTC, "from": the cursor that it had reached, "to": the last one that was dropped}.
ALTER TABLE webhook_subscription ADD COLUMN gap jsonb;
