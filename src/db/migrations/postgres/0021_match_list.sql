-- Lists that skip many matches read the index alone: what they filter by is in it. Of these columns a live match changes its status
-- a few times, and with it other indexes.
DROP INDEX match_start;
CREATE INDEX match_start ON match (scheduled_start, id)
  INCLUDE (sport, status, status_detail, awaiting_data, tournament_id, importance);
-- An index is enough only for pages that have been vacuumed: after an import, and on a match day, within minutes.
ALTER TABLE match SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
