ALTER TABLE participant VALIDATE CONSTRAINT participant_type_check;
