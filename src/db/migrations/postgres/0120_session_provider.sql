-- The organisation at whose identity provider the session began. Null: it began with a password or a passkey.
ALTER TABLE member_session ADD provider_account_id bigint;
