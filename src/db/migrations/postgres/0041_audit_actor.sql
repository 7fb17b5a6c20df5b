-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_entry_actor ON audit_entry (lower(actor), id);
