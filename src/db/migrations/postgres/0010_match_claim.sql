-- Reports of live providers that do not lead a match, member by member, until the match is final: see apply/lead/lead.ts.
-- A live match has few of these rows; most matches have a single provider and no row.
CREATE TABLE match_claim (
  match_id bigint NOT NULL REFERENCES match ON DELETE CASCADE,
  provider text NOT NULL,
  member text NOT NULL,                    -- member of the update's match; references: id, sport, tournament, season, home and away together
  observed_at bigint NOT NULL,             -- ms, by the provider's clock
  received_at bigint NOT NULL,             -- ms, by our clock; for references: the provider's last update
  value text NOT NULL,                     -- JSON
  PRIMARY KEY (match_id, provider, member)
);
