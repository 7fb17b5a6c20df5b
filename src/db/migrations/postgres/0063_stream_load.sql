-- The number of open streams of each process of the role stream, for the balance between them.
CREATE UNLOGGED TABLE stream_load (
  process text PRIMARY KEY,
  connections integer NOT NULL,
  is_draining boolean NOT NULL,
  reported_at timestamptz NOT NULL
);
