-- Referees and coaches are participants, too. The next file validates the constraint.
ALTER TABLE participant DROP CONSTRAINT participant_type_check,
  ADD CONSTRAINT participant_type_check CHECK (type IN ('team', 'player', 'referee', 'coach')) NOT VALID;
