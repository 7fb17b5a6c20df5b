-- Open streams: a connection slot of an account, of its publishable keys, or of a browser on our own pages.
CREATE TABLE stream_lease (
  subject text NOT NULL,
  slot integer NOT NULL,
  holder text NOT NULL,                    -- one connection of one process
  client text,                             -- what it calls itself, to take over its own slot
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (subject, slot)
) WITH (fillfactor = 50);                  -- renewed all the time, in place
