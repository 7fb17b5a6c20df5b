-- Whether a member is known to read the mail of their sign-in address.
ALTER TABLE member ADD verified_at timestamptz;  -- null if not verified
