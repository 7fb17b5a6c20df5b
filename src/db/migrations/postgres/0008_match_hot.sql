-- The columns that change with each update of a live match are in no index, and its page has free space: updates are heap-only (HOT) and write no index.
DROP INDEX match_unfinalized;
CREATE INDEX match_unfinalized ON match (id) WHERE status = 'finished' AND NOT finalized;
ALTER TABLE match SET (fillfactor = 80);
ALTER TABLE match_card SET (fillfactor = 80);
