-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS account_network ON account (signed_up_from, created_at) WHERE signed_up_from IS NOT NULL;
