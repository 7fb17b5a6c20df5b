-- Whether a member is known to read the mail of the address that they sign in with.
ALTER TABLE member ADD verified_at timestamptz;  -- null: nobody has shown it
