-- Lists that skip many matches use index-only scans: the filtered columns are in the index. Of these columns a live match changes only
-- its status, a few times, which writes other indexes as well.
DROP INDEX match_start;
CREATE INDEX match_start ON match (scheduled_start, id)
  INCLUDE (sport, status, status_detail, awaiting_data, tournament_id, importance);
-- An index-only scan needs vacuumed pages: after an import, and on a match day, autovacuum runs within minutes.
ALTER TABLE match SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
