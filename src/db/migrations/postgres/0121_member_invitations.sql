-- Open invitations to join an organisation.
CREATE TABLE member_invitation (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
  hash bytea NOT NULL UNIQUE,              -- SHA-256 of the token
  email text NOT NULL,                     -- the only address that may use it
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'billing', 'viewer')),
  invited_by bigint NOT NULL REFERENCES member ON DELETE CASCADE,
  mailed boolean NOT NULL,                 -- whether using it proves that the person reads mail to the address
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  UNIQUE (account_id, email)
);
CREATE INDEX member_invitation_invited_by ON member_invitation (invited_by);

-- An owner's offer to hand the organisation over to another member, who has to accept it.
CREATE TABLE ownership_offer (
  account_id bigint PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  from_member_id bigint NOT NULL,
  to_member_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  FOREIGN KEY (account_id, from_member_id) REFERENCES membership (account_id, member_id) ON DELETE CASCADE,
  FOREIGN KEY (account_id, to_member_id) REFERENCES membership (account_id, member_id) ON DELETE CASCADE
);
