-- When the event was written to outbox, by the clock of Postgres; null: by an earlier release. For the time that it takes to clients.
ALTER TABLE event_log ADD COLUMN committed_at timestamptz;
