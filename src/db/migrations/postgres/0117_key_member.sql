-- The person to whom a key belongs. Null for a key of the organisation.
ALTER TABLE api_key ADD member_id bigint REFERENCES member ON DELETE SET NULL;
-- A person who leaves an organisation loses the personal keys there, also if the previous release removes the person.
CREATE OR REPLACE FUNCTION end_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE api_key SET revoked_at = coalesce(revoked_at, now()) WHERE account_id = OLD.account_id AND member_id = OLD.member_id;
  PERFORM FROM member WHERE id = OLD.member_id FOR UPDATE;
  IF EXISTS (SELECT FROM membership WHERE member_id = OLD.member_id) THEN
    UPDATE member SET account_id = NULL WHERE id = OLD.member_id AND account_id = OLD.account_id;
  ELSE
    DELETE FROM member WHERE id = OLD.member_id;
  END IF;
  RETURN NULL;
END $$;
