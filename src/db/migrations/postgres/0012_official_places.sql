-- The place in the table that the organizer has given to a side, whatever its points: null where there is none.
ALTER TABLE points_adjustment ADD COLUMN position smallint CHECK (position > 0);
