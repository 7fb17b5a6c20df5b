-- What a key may be used for, and to whom it belongs.
ALTER TABLE api_key
  ADD scopes text[];                           -- null for everything
