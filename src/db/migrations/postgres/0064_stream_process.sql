-- Processes that hold connection slots: their slots live as long as this row, which is renewed.
CREATE TABLE stream_process (
  process text PRIMARY KEY,                -- the first 12 characters of each of its holders
  slots integer NOT NULL,                  -- its number at the last renewal
  expires_at timestamptz NOT NULL
) WITH (fillfactor = 50);                  -- renewed constantly, in place
