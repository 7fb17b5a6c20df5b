-- no-transaction
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS audit_entry_cursor ON audit_entry (account_id, cursor);
