ALTER TABLE member
  ADD operator_since timestamptz;          -- may use the operator pages; null if not
