-- Members, who may sign in to the pages of an account, and the audit log.
ALTER TABLE account ADD suspended_at timestamptz;  -- by an operator: keys are refused, streams end, webhooks stop

CREATE TABLE member (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
  email text NOT NULL,                     -- used to sign in
  password text,                           -- argon2id, with its parameters; null if not set yet
  totp_secret text,                        -- encrypted with SECRET_KEY; null without a second factor
  totp_pending text,                       -- encrypted; until its first code has been entered
  totp_step bigint,                        -- time step of the last accepted code: no code is accepted twice
  created_at timestamptz NOT NULL,
  signed_in_at timestamptz
);
CREATE UNIQUE INDEX member_email ON member (lower(email));
CREATE INDEX member_account ON member (account_id);

CREATE TABLE member_session (
  hash bytea PRIMARY KEY,                  -- SHA-256 of the cookie's value
  member_id bigint NOT NULL REFERENCES member ON DELETE CASCADE,
  awaits_code boolean NOT NULL,            -- password accepted, second factor missing
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  address text NOT NULL,
  agent text NOT NULL
);
CREATE INDEX member_session_member ON member_session (member_id);
CREATE INDEX member_session_expires ON member_session (expires_at);

CREATE TABLE recovery_code (
  member_id bigint NOT NULL REFERENCES member ON DELETE CASCADE,
  hash bytea NOT NULL,
  PRIMARY KEY (member_id, hash)            -- deleted on use
);

-- One-time links: to set a new password, and invitations to sign up.
CREATE TABLE account_link (
  hash bytea PRIMARY KEY,                  -- SHA-256 of the token
  purpose text NOT NULL CHECK (purpose IN ('reset', 'invitation')),
  account_id bigint REFERENCES account ON DELETE CASCADE, -- for a reset
  email text,                              -- for an invitation: the only address that may use it; null for any
  plan text,                               -- for an invitation
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX account_link_expires ON account_link (expires_at);

ALTER TABLE api_key
  ADD prefix text,                         -- first characters; null for a key made before they were stored
  ADD addresses text[],                    -- addresses and networks that may use it; null for any
  ADD replaced_by bigint REFERENCES api_key ON DELETE SET NULL,
  ADD last_used_at timestamptz,
  ADD last_used_from text;                 -- client address
CREATE INDEX api_key_account ON api_key (account_id, id);

CREATE TABLE audit_entry (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
  at timestamptz NOT NULL,
  actor text NOT NULL,                     -- an email, `key 12`, `operator`, `system`
  address text,                            -- client address; null if none
  action text NOT NULL,                    -- key.created
  target text,                             -- key 12
  details jsonb NOT NULL                   -- the change; never a secret
);
CREATE INDEX audit_entry_account ON audit_entry (account_id, id);

-- POST with Idempotency-Key: the reply, kept for 24 hours.
CREATE TABLE idempotent_request (
  account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
  key text NOT NULL,
  fingerprint bytea NOT NULL,              -- SHA-256 of method, path and body
  body text NOT NULL,                      -- without secrets
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotent_request_age ON idempotent_request (created_at);
