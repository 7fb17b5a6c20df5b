-- The last entry of the account's audit log that the subscription was sent. Null if it does not ask for them, or has just begun to.
ALTER TABLE webhook_subscription ADD audit_cursor bigint;
