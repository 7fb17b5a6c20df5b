-- An account is an organisation. A membership says which person (member) belongs to it, and with which role.
CREATE TABLE membership (
  account_id bigint NOT NULL REFERENCES account ON DELETE CASCADE,
  member_id bigint NOT NULL REFERENCES member ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'billing', 'viewer')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, member_id)
);
CREATE INDEX membership_member ON membership (member_id);

-- A person who belongs to no organisation any more is removed. Someone who still belongs to another one stays, and the account that
-- was left is no longer the home account, from which the previous release takes a member's rights.
CREATE FUNCTION end_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM member WHERE id = OLD.member_id FOR UPDATE;
  IF EXISTS (SELECT FROM membership WHERE member_id = OLD.member_id) THEN
    UPDATE member SET account_id = NULL WHERE id = OLD.member_id AND account_id = OLD.account_id;
  ELSE
    DELETE FROM member WHERE id = OLD.member_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER end_membership AFTER DELETE ON membership FOR EACH ROW EXECUTE FUNCTION end_membership();

-- A member who loses the role of owner also loses the home account, because the previous release knows only owners.
CREATE FUNCTION end_ownership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE member SET account_id = NULL WHERE id = NEW.member_id AND account_id = NEW.account_id;
  RETURN NULL;
END $$;
CREATE TRIGGER end_ownership AFTER UPDATE OF role ON membership
  FOR EACH ROW WHEN (OLD.role = 'owner' AND NEW.role <> 'owner') EXECUTE FUNCTION end_ownership();
