-- The state of a polled source, for operators.
ALTER TABLE source
  ADD COLUMN answered_at timestamptz,
  ADD COLUMN fault text,
  ADD COLUMN fault_since timestamptz,
  ADD COLUMN daily_requests integer,
  ADD COLUMN changes bigint NOT NULL DEFAULT 0,
  ADD COLUMN not_understood jsonb NOT NULL DEFAULT '[]';

-- The knowledge of a poller about each scope of a source (a league, for instance), so that another process goes on with it.
CREATE TABLE source_scope (
  source text NOT NULL,
  scope text NOT NULL,
  known_version integer NOT NULL,
  known jsonb NOT NULL,
  asked jsonb NOT NULL,
  PRIMARY KEY (source, scope)
);
