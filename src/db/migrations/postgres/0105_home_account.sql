-- `account_id` is the home account of an owner, for the previous release. It is null for people who joined by an invitation. The
-- previous release inserts members without a membership, so a trigger adds it.
CREATE FUNCTION own_home_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO membership (account_id, member_id, role, created_at) VALUES (NEW.account_id, NEW.id, 'owner', NEW.created_at)
  ON CONFLICT (account_id, member_id) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER own_home_account AFTER INSERT ON member
  FOR EACH ROW WHEN (NEW.account_id IS NOT NULL) EXECUTE FUNCTION own_home_account();
ALTER TABLE member ALTER account_id DROP NOT NULL;
