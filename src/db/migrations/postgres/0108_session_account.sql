-- The organisation that was chosen in a session. Null: that of the member.
ALTER TABLE member_session ADD account_id bigint REFERENCES account ON DELETE SET NULL;
