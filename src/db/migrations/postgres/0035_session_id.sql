-- Sessions can be named without the hash, and know when their member last gave a code.
ALTER TABLE member_session
  ADD id bigint,                           -- null: an older version made it; the list of sessions gives it one
  ADD confirmed_at timestamptz;            -- when a code of the second factor was last given in it; null: never
CREATE SEQUENCE member_session_id OWNED BY member_session.id;
ALTER TABLE member_session ALTER id SET DEFAULT nextval('member_session_id');
