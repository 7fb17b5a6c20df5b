-- The referees and coaches of a match. Each refers to a participant of its own type. If that participant has been joined to another person,
-- its `person_id` leads there, so that these rows stay as they are.
CREATE TABLE match_staff (
  match_id bigint NOT NULL REFERENCES match ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('referee', 'coach')),
  position smallint NOT NULL,              -- from 0, in the order of the source; for a coach, the place in the block `coaches`
  side text CHECK (side IN ('home', 'away')), -- null for a referee
  name text NOT NULL,                      -- as written by the source
  participant_id bigint NOT NULL REFERENCES participant,
  PRIMARY KEY (match_id, role, position)
);
CREATE INDEX match_staff_participant ON match_staff (participant_id, role, match_id);
