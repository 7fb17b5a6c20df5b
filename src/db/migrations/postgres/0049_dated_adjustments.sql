-- A decision counts in tables from its day on; '-infinity' is from the start of the season. A side may have several: a deduction,
-- and what an appeal gave back.
ALTER TABLE points_adjustment ADD COLUMN decided_on date NOT NULL DEFAULT '-infinity';
ALTER TABLE points_adjustment DROP CONSTRAINT points_adjustment_pkey;
ALTER TABLE points_adjustment ADD PRIMARY KEY (season_id, participant_id, decided_on);
