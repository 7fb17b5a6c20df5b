-- no-transaction
-- Earlier meetings of two sides: reading all matches of one of them takes as long as its history is.
CREATE INDEX CONCURRENTLY IF NOT EXISTS match_pair ON match (home_id, away_id);
