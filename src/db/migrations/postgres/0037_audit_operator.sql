ALTER TABLE audit_entry
  ADD by_operator boolean NOT NULL DEFAULT false; -- of this service, not by the account itself
