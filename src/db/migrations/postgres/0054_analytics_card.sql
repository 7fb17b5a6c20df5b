-- Finished analytics, so that a request reads a row instead of computing them. The job analytics_cards keeps the ones
-- fresh that users request most; the others are stored by their first request.
CREATE TABLE analytics_card (
  kind text NOT NULL CHECK (kind IN ('match', 'side', 'league', 'trends')),
  subject_id bigint NOT NULL,              -- a match, a participant, or a tournament (league, trends)
  variant text NOT NULL,                   -- parameters of the request that change the content
  version text NOT NULL,                   -- of the sample that it was computed from
  computed_at timestamptz NOT NULL,
  kept boolean NOT NULL,                   -- whether the job keeps it fresh
  body bytea NOT NULL,                     -- JSON, compressed by gzip
  PRIMARY KEY (kind, subject_id, variant)
);
CREATE INDEX analytics_card_computed ON analytics_card (computed_at);

-- Tournaments whose cards the job keeps fresh: they have matches that start soon, are live or have just ended.
CREATE TABLE analytics_window (
  tournament_id bigint PRIMARY KEY,
  fingerprint text,                        -- of the samples for which all cards were fresh; null before
  stale_since timestamptz                  -- when the job saw that the samples had changed; null while all cards are fresh
);
