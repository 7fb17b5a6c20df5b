ALTER TABLE audit_entry
  ADD by_operator boolean NOT NULL DEFAULT false; -- an operator of this service, not the account itself
