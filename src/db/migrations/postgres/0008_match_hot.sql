-- What each update of a live match changes is in no index, and its page has room: its new row is a heap-only one, and no index is written.
DROP INDEX match_unfinalized;
CREATE INDEX match_unfinalized ON match (id) WHERE status = 'finished' AND NOT finalized;
ALTER TABLE match SET (fillfactor = 80);
ALTER TABLE match_card SET (fillfactor = 80);
