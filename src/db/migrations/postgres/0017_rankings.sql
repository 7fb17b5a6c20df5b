-- Published rankings: one row for each day and kind. Movement is not stored: it is derived from the previous snapshot.
CREATE TABLE ranking (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,                      -- see rankings/kinds.ts
  published_at date NOT NULL,
  provider text NOT NULL,
  UNIQUE (kind, published_at)
);
CREATE TABLE ranking_entry (
  ranking_id bigint NOT NULL REFERENCES ranking ON DELETE CASCADE,
  participant_id bigint NOT NULL REFERENCES participant,
  rank integer NOT NULL CHECK (rank > 0),
  points double precision,                 -- null if not published
  PRIMARY KEY (ranking_id, participant_id)
);

-- Transfers of players as stated by a source. Transfers derived from line-ups are not stored: see transfers/derived.ts.
CREATE TABLE transfer (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  provider text NOT NULL,
  key text NOT NULL,                       -- the provider's id, or else player, day and club: see transfers/store.ts
  player_id bigint NOT NULL REFERENCES participant,
  date date NOT NULL,
  type text NOT NULL CHECK (type IN ('transfer', 'loan', 'loan_return', 'other')),
  from_id bigint REFERENCES participant,   -- null for no club, or one that the catalogue does not have
  to_id bigint REFERENCES participant,
  from_name text,                          -- as written by the source; null for no club, or an unknown one
  to_name text,
  loan_until date,                         -- for a loan: the last agreed day
  fee numeric(14, 2) CHECK (fee >= 0),     -- 0 if free; null if unknown
  fee_currency text,                       -- ISO 4217
  UNIQUE (provider, key),
  CHECK (from_id <> to_id),
  CHECK ((fee IS NULL OR fee = 0) = (fee_currency IS NULL) OR fee = 0)
);
CREATE INDEX transfer_player ON transfer (player_id, date);
CREATE INDEX transfer_from ON transfer (from_id, date) WHERE from_id IS NOT NULL;
CREATE INDEX transfer_to ON transfer (to_id, date) WHERE to_id IS NOT NULL;

-- Whether the venue is neutral: otherwise the ratings of national teams would assume a home advantage.
ALTER TABLE match ADD COLUMN neutral boolean; -- null if unknown
