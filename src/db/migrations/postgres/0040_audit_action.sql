-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_entry_action ON audit_entry (action, id);
