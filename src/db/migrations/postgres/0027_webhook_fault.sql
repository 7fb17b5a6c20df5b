-- Why dispatchers cannot send for a subscription as it is stored: its URL cannot be parsed, no key decrypts its secret.
ALTER TABLE webhook_subscription
  ADD fault text,                              -- in a few words, never with a secret or a URL; null: there is none
  ADD fault_at timestamptz,                    -- since when
  ADD fault_version bigint;                    -- of the row that was examined; null while it is leased
