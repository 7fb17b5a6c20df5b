-- Links that verify an address.
ALTER TABLE account_link
  DROP CONSTRAINT account_link_purpose_check,
  ADD CONSTRAINT account_link_purpose_check CHECK (purpose IN ('reset', 'invitation', 'address')) NOT VALID;
