-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_entry_unnumbered ON audit_entry (account_id, id) WHERE cursor IS NULL;
