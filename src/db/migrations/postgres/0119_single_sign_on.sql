-- An organisation's identity provider (OpenID Connect).
CREATE TABLE single_sign_on (
  account_id bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  issuer text NOT NULL,
  client_id text NOT NULL,
  client_secret text NOT NULL,             -- encrypted with SECRET_KEY
  groups_claim text NOT NULL,
  default_role text NOT NULL CHECK (default_role IN ('admin', 'developer', 'billing', 'viewer')),
  group_roles json NOT NULL,               -- [{"group", "role"}]
  required boolean NOT NULL,               -- people of the verified domains may sign in only at the provider
  emergency_member_id bigint REFERENCES member ON DELETE SET NULL, -- except this owner
  changed_at timestamptz NOT NULL
);

-- The domains of the addresses that may sign in there. A TXT record verifies each; a domain belongs to one organisation.
CREATE TABLE single_sign_on_domain (
  account_id bigint NOT NULL REFERENCES single_sign_on ON DELETE CASCADE,
  domain text NOT NULL,                    -- lower case, as in DNS
  proof text NOT NULL,                     -- in the TXT record; public
  verified_at timestamptz,                 -- null: not verified, or the record has vanished
  checked_at timestamptz,                  -- when the record was read last
  PRIMARY KEY (account_id, domain)
);
CREATE UNIQUE INDEX single_sign_on_domain_verified ON single_sign_on_domain (domain) WHERE verified_at IS NOT NULL;

-- The people at identity providers. The issuer and the subject identify a person for ever; an address does not.
CREATE TABLE member_identity (
  issuer text NOT NULL,
  subject text NOT NULL,
  member_id bigint NOT NULL REFERENCES member ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX member_identity_member ON member_identity (member_id);

-- Sign-ins at a provider that have begun. Each works once.
CREATE TABLE sign_in_attempt (
  hash bytea PRIMARY KEY,                  -- SHA-256 of the token in the browser's cookie
  account_id bigint REFERENCES account ON DELETE CASCADE, -- null: the provider of the operators
  next text NOT NULL,                      -- the page to show afterwards
  again boolean NOT NULL,                  -- the person has to give the provider the password or the like again
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_attempt_expires ON sign_in_attempt (expires_at);
