-- no-transaction
-- Matches to come before the ones that are long past their start without a result.
CREATE INDEX CONCURRENTLY IF NOT EXISTS match_scheduled ON match (awaiting_data, scheduled_start, id) WHERE status = 'scheduled';
