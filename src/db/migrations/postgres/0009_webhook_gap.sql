-- The last gap, in which events were dropped from the log before a subscription had read them; kept until it is enabled again:
-- {"at": UTC, "from": the cursor that it had reached, "to": the last dropped cursor}.
ALTER TABLE webhook_subscription ADD COLUMN gap jsonb;
