ALTER TABLE account
  ADD awaits_approval boolean NOT NULL DEFAULT false; -- an operator decides; it is suspended until then
