-- Tokens of single providers, stored as their hash; a token that signs is stored encrypted, too.
CREATE TABLE feed_token (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL,
  sports text[],                           -- null: all
  hash bytea NOT NULL UNIQUE,              -- SHA-256; a request that is signed names it
  secret text,                             -- see accounts/stored-secret; null if the token is sent as it is
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,                -- `operator`
  last_used_at timestamptz,                -- to a minute
  revoked_at timestamptz
);
CREATE INDEX feed_token_provider ON feed_token (provider, id);
