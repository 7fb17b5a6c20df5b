-- When a session last had a password, a code or a passkey.
ALTER TABLE member_session ADD proved_at timestamptz; -- null in a session that release 0.2 began: then created_at counts
