-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS ranking_entry_participant ON ranking_entry (participant_id);
