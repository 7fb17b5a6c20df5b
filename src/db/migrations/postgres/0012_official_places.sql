-- The place in the table that the organizer has assigned to a side, whatever its points; null if there is none.
ALTER TABLE points_adjustment ADD COLUMN position smallint CHECK (position > 0);
