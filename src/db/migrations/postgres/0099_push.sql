-- Notifications in browsers about the matches of favourite teams.
CREATE TABLE push_browser (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member ON DELETE CASCADE,
  session_hash bytea NOT NULL,             -- of the session that added it; the end of that session removes the browser
  service text NOT NULL,                   -- the push service, such as mozilla
  endpoint_hash bytea NOT NULL UNIQUE,     -- SHA-256 of the endpoint
  secret text NOT NULL,                    -- {"endpoint", "keys": {"p256dh", "auth"}}, encrypted with SECRET_KEY
  lang text NOT NULL CHECK (lang IN ('en', 'ru')),
  agent text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX push_browser_member ON push_browser (member_id);
CREATE INDEX push_browser_service ON push_browser (service, id);
CREATE INDEX push_browser_session ON push_browser (session_hash);

-- The key pair that identifies this service to push services (VAPID). Browsers are bound to it.
CREATE TABLE push_keys (
  id smallint PRIMARY KEY CHECK (id = 1),
  public_key text NOT NULL,
  private_key text NOT NULL,               -- encrypted with SECRET_KEY
  created_at timestamptz NOT NULL
);

-- The lease of the process that sends notifications.
CREATE TABLE push_sender (
  generation bigint NOT NULL DEFAULT 0,
  holder text,
  session bigint,
  expires_at timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO push_sender DEFAULT VALUES;

-- How far the event log has been sent to each push service.
CREATE TABLE push_position (
  service text PRIMARY KEY,
  cursor bigint NOT NULL,                  -- every event up to here is done
  browser_id bigint NOT NULL               -- the next event is done for the browsers up to this one
);
