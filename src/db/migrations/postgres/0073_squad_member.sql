-- Players on the list that a team has entered for a competition.
CREATE TABLE squad_member (
  season_id bigint NOT NULL REFERENCES season,
  team_id bigint NOT NULL REFERENCES participant,
  player_id bigint NOT NULL REFERENCES participant,
  shirt_number text,
  position text,
  provider text NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (season_id, team_id, player_id)
);
CREATE INDEX squad_member_team ON squad_member (team_id);
CREATE INDEX squad_member_player ON squad_member (player_id);
