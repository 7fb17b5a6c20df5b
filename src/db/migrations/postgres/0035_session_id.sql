-- Sessions have an id besides the hash, and the time of the member's last code.
ALTER TABLE member_session
  ADD id bigint,                           -- null if an older version created it; listing sessions assigns one
  ADD confirmed_at timestamptz;            -- last code of the second factor in this session; null if never
CREATE SEQUENCE member_session_id OWNED BY member_session.id;
ALTER TABLE member_session ALTER id SET DEFAULT nextval('member_session_id');
