-- The jobs that one process runs at a time: when each was last successful, and its lease, unless the job has a lease of its own elsewhere.
CREATE TABLE job (
  name text PRIMARY KEY,
  generation bigint NOT NULL DEFAULT 0,
  holder text,
  session bigint,
  expires_at timestamptz NOT NULL DEFAULT '-infinity',
  added_at timestamptz NOT NULL,
  succeeded_at timestamptz
);
