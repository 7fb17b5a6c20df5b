-- The name is shown instead of the email. The memberships of a deleted account end before its members are deleted with it, so that
-- people who belong to another organisation stay.
ALTER TABLE account ADD name text;
CREATE FUNCTION end_memberships() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM membership WHERE account_id = OLD.id;
  RETURN OLD;
END $$;
CREATE TRIGGER end_memberships BEFORE DELETE ON account FOR EACH ROW EXECUTE FUNCTION end_memberships();
