-- The share of its capacity that a dispatcher uses, 0 to 1: the operator chooses the number of dispatchers by it. NULL: written by an
-- earlier version.
ALTER TABLE webhook_dispatcher ADD COLUMN load real;
