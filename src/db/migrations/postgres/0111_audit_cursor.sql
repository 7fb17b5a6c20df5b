-- Numbers an account's entries in the order in which readers could see them, so that a reader who goes on after a number misses
-- none. Null until the first reader comes.
ALTER TABLE audit_entry ADD cursor bigint;
