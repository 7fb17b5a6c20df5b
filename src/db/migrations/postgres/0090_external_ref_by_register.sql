-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS external_ref_register ON external_ref (register) WHERE register IS NOT NULL;
