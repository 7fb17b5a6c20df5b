-- What live providers that do not lead a match have reported of it, member by member, until the match is final: see apply/lead.ts.
-- A match that is live has few of these rows; most matches have one provider, and none.
CREATE TABLE match_claim (
  match_id bigint NOT NULL REFERENCES match ON DELETE CASCADE,
  provider text NOT NULL,
  member text NOT NULL,                    -- of the update's match; references: id, sport, tournament, season, home and away together
  observed_at bigint NOT NULL,             -- ms, by the provider's clock
  received_at bigint NOT NULL,             -- ms, by ours; of references: when we last heard of the provider
  value text NOT NULL,                     -- JSON
  PRIMARY KEY (match_id, provider, member)
);
