-- Reason why dispatchers cannot use a subscription as stored: its URL cannot be parsed, or no key decrypts its secret.
ALTER TABLE webhook_subscription
  ADD fault text,                              -- short text, never with a secret or a URL; null if there is none
  ADD fault_at timestamptz,                    -- when it was found
  ADD fault_version bigint;                    -- version of the examined row; null while it is leased
