-- Passkeys (WebAuthn).
ALTER TABLE member ADD passkey_handle bytea; -- random; authenticators know the member by it; null before the first passkey

CREATE TABLE passkey (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  member_id bigint NOT NULL REFERENCES member ON DELETE CASCADE,
  credential text NOT NULL UNIQUE,         -- the authenticator's id for it, base64url
  public_key bytea NOT NULL,               -- COSE
  counter bigint NOT NULL,                 -- of signatures, as the authenticator counts; 0 if it does not count
  rp_id text NOT NULL,                     -- the host for which it was made
  transports text[] NOT NULL,              -- how browsers reach the authenticator
  name text NOT NULL,                      -- given by the member
  is_first_factor boolean NOT NULL DEFAULT true, -- false from a new password on, until it is used together with that password
  created_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX passkey_member ON passkey (member_id);

-- What an authenticator has to sign. Each challenge is deleted when it is answered.
CREATE TABLE passkey_challenge (
  challenge bytea PRIMARY KEY,
  holder bytea NOT NULL,                   -- SHA-256 of the token of the session, or of a browser that is not signed in
  purpose text NOT NULL CHECK (purpose IN ('add', 'use')),
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenge_expires ON passkey_challenge (expires_at);
