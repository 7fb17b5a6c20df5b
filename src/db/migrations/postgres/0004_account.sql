CREATE TABLE account (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email text NOT NULL,
  plan text NOT NULL DEFAULT 'trial',
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX account_email ON account (lower(email));

CREATE TABLE api_key (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES account,
  kind text NOT NULL CHECK (kind IN ('sk', 'pk')),
  hash bytea NOT NULL UNIQUE,              -- SHA-256 of the key
  hint text NOT NULL,                      -- last four characters
  name text,
  origins text[],
  created_at timestamptz NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz
);
