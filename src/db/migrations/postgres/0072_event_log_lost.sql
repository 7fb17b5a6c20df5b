-- Cursors between these two may have been assigned in the time that the last restore has lost.
ALTER TABLE event_log_floor ADD COLUMN lost_after bigint, ADD COLUMN lost_before bigint;
