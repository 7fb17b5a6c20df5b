-- The entries of imported registers, each with ids at providers. An entry that means an entity of ours is linked to it.
CREATE TABLE register_entry (
  register text NOT NULL,                  -- provider id of the importer, such as reep
  entity text NOT NULL CHECK (entity IN ('tournament', 'team', 'player')),
  register_id text NOT NULL,
  name text NOT NULL,
  full_name text,                          -- of a person
  countries text[] NOT NULL,               -- our codes; several if the register names a state with several associations
  since date,                              -- the birth date of a person, the foundation of a club
  ids jsonb NOT NULL,                      -- id by provider
  entity_id bigint,                        -- ours; null if there is none, or if it is in doubt
  reason text,                             -- why it is linked or in doubt; null if nothing of ours is like it
  candidates bigint[] NOT NULL DEFAULT '{}', -- ours that it may mean, if it is in doubt or two of ours claim it
  PRIMARY KEY (register, entity, register_id)
);
CREATE INDEX register_entry_since ON register_entry (entity, since);
CREATE INDEX register_entry_linked ON register_entry (entity, entity_id) WHERE entity_id IS NOT NULL;
CREATE INDEX register_entry_claimed ON register_entry (entity) WHERE cardinality(candidates) > 0;
