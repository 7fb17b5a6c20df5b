-- Each present member owns the account.
INSERT INTO membership (account_id, member_id, role, created_at)
SELECT account_id, id, 'owner', created_at FROM member WHERE account_id IS NOT NULL
ON CONFLICT (account_id, member_id) DO NOTHING;
