-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS participant_alias_key ON participant_alias (key);
