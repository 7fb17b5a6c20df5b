-- Cards and penalties of finished matches that have a referee. A row counts while `version` is the match's.
CREATE TABLE referee_figures (
  match_id bigint PRIMARY KEY REFERENCES match ON DELETE CASCADE,
  version bigint NOT NULL,
  yellow_cards smallint,                   -- of both sides; null if unknown
  red_cards smallint,
  penalties smallint                       -- in play, scored or not; null if unknown
);
