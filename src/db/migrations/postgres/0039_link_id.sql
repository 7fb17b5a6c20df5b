-- Invitations can be named without the hash.
ALTER TABLE account_link
  ADD id bigint;                           -- null: an older version made it; the list of invitations gives it one
CREATE SEQUENCE account_link_id OWNED BY account_link.id;
ALTER TABLE account_link ALTER id SET DEFAULT nextval('account_link_id');
