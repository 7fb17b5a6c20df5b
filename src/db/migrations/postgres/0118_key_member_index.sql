-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS api_key_member ON api_key (member_id) WHERE member_id IS NOT NULL;
