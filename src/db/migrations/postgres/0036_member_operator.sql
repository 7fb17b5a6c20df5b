ALTER TABLE member
  ADD operator_since timestamptz;          -- may use the pages of operators; null: may not
