-- A match without news is shown as awaiting_data; status_detail keeps the reported value. Columns that live updates change are in no index.
ALTER TABLE match ADD COLUMN awaiting_data boolean NOT NULL DEFAULT false;
CREATE INDEX match_unfinished ON match (scheduled_start, id) WHERE status <> 'finished' AND NOT awaiting_data;
CREATE INDEX match_awaiting_data ON match (scheduled_start, id) WHERE awaiting_data;
