-- Conditions on the fields of events, and headers that a subscription's owner adds to each request.
ALTER TABLE webhook_subscription
  ADD conditions text[] NOT NULL DEFAULT '{}',
  ADD headers jsonb NOT NULL DEFAULT '[]',    -- [{"name", "value", "secret"}]; the value of a secret header is null
  ADD secret_headers text;                    -- the values of the secret headers by name, as JSON, encrypted with SECRET_KEY
