ALTER TABLE account
  ADD awaits_approval boolean NOT NULL DEFAULT false; -- suspended until an operator decides
