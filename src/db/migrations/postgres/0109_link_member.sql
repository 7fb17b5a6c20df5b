-- The person for whom a link sets a password or verifies an address. `account_id` is then set only if this person's address is also
-- that of the account, because the previous release takes the account's member for it.
ALTER TABLE account_link ADD member_id bigint REFERENCES member ON DELETE CASCADE;
