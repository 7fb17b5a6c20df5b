-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS match_venue ON match (venue_id, scheduled_start, id) WHERE venue_id IS NOT NULL;
