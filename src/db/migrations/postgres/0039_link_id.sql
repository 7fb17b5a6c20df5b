-- Invitations have an id besides the hash.
ALTER TABLE account_link
  ADD id bigint;                           -- null if an older version created it; listing invitations assigns one
CREATE SEQUENCE account_link_id OWNED BY account_link.id;
ALTER TABLE account_link ALTER id SET DEFAULT nextval('account_link_id');
