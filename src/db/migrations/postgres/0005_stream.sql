-- Open streams: connection slots of an account, of its publishable keys, or of a browser on the service's own pages.
CREATE TABLE stream_lease (
  subject text NOT NULL,
  slot integer NOT NULL,
  holder text NOT NULL,                    -- one connection of one process
  client text,                             -- name that the client sends, to take over its own slot
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (subject, slot)
) WITH (fillfactor = 50);                  -- renewed constantly, in place
