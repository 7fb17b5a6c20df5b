-- Pairs of participants that may be one, and what operators have decided about them.
CREATE TABLE participant_pair (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  known_id bigint NOT NULL REFERENCES participant ON DELETE CASCADE,   -- stays if both are one
  other_id bigint NOT NULL REFERENCES participant ON DELETE CASCADE,   -- known from live sources alone, or later
  likeness real NOT NULL,                  -- of the names, 0 to 1
  found_at timestamptz NOT NULL,
  decision text CHECK (decision IN ('same', 'different')), -- null: open
  decided_at timestamptz,
  decided_by text,
  reason text,
  moved jsonb NOT NULL DEFAULT '{}',       -- what became the known one's, to be given back
  UNIQUE (known_id, other_id)
);
CREATE INDEX participant_pair_other ON participant_pair (other_id);
CREATE INDEX participant_pair_open ON participant_pair (likeness DESC, id) WHERE decision IS NULL;

-- The participants up to this id were compared with the others.
CREATE TABLE participant_pair_search (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  compared_id bigint NOT NULL
);
INSERT INTO participant_pair_search (compared_id) VALUES (0);
