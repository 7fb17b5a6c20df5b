-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS match_sport_start ON match (sport, scheduled_start, id) INCLUDE (status);
