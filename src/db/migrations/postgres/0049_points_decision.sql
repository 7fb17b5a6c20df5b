-- Decisions of organizers on the points of a side, in place of points_adjustment, which had one for each side.
CREATE TABLE points_decision (
  season_id bigint NOT NULL REFERENCES season,
  participant_id bigint NOT NULL REFERENCES participant,
  decided_on date NOT NULL,                -- counts in tables after this day; -infinity: from the start of the season
  points integer NOT NULL,                 -- negative if deducted
  position smallint CHECK (position > 0),  -- place that the organizer has given
  reason text,
  PRIMARY KEY (season_id, participant_id, decided_on)
);
INSERT INTO points_decision (season_id, participant_id, decided_on, points, position, reason)
SELECT season_id, participant_id, '-infinity', points, position, reason FROM points_adjustment;
