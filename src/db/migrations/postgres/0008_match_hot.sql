-- The columns that each update of a live match changes are in no index, and its page has room: updates are heap-only, and no index is written.
DROP INDEX match_unfinalized;
CREATE INDEX match_unfinalized ON match (id) WHERE status = 'finished' AND NOT finalized;
ALTER TABLE match SET (fillfactor = 80);
ALTER TABLE match_card SET (fillfactor = 80);
