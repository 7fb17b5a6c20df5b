-- Jobs, each run by one process at a time: the last success, and the lease, unless another table has the lease of the job.
CREATE TABLE job (
  name text PRIMARY KEY,
  generation bigint NOT NULL DEFAULT 0,
  holder text,
  session bigint,
  expires_at timestamptz NOT NULL DEFAULT '-infinity',
  added_at timestamptz NOT NULL,
  succeeded_at timestamptz
);
