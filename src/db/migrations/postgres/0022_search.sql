-- Names by which only search finds a participant, in addition to the providers' names. They are not part of its identity: feeds and
-- imports never read them.
CREATE TABLE participant_search_alias (
  participant_id bigint NOT NULL REFERENCES participant ON DELETE CASCADE,
  key text NOT NULL,                       -- the folded name
  sound text NOT NULL GENERATED ALWAYS AS (' ' || sound_of(key)) STORED,
  name text NOT NULL,
  locale text NOT NULL DEFAULT 'en',
  PRIMARY KEY (participant_id, name, locale)
);
CREATE INDEX participant_search_alias_trgm ON participant_search_alias USING gin (sound gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX participant_search_alias_words ON participant_search_alias USING gin (string_to_array(key, ' ')) WITH (gin_pending_list_limit = 256);
CREATE TRIGGER note_words_of_new AFTER INSERT ON participant_search_alias
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_alias_words();

-- Every name by which search finds a tournament, including the display names.
CREATE TABLE tournament_alias (
  tournament_id bigint NOT NULL REFERENCES tournament ON DELETE CASCADE,
  key text NOT NULL,
  sound text NOT NULL GENERATED ALWAYS AS (' ' || sound_of(key)) STORED,
  name text NOT NULL,
  locale text NOT NULL DEFAULT 'en',
  PRIMARY KEY (tournament_id, name, locale)
);
CREATE INDEX tournament_alias_trgm ON tournament_alias USING gin (sound gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX tournament_alias_words ON tournament_alias USING gin (string_to_array(key, ' ')) WITH (gin_pending_list_limit = 256);
CREATE TRIGGER note_words_of_new AFTER INSERT ON tournament_alias
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_alias_words();

-- Probability that a search means an entity, from 0 to 1: see catalogue/search/prominence.ts. Separate tables, so that a new value changes
-- no row that updates lock.
CREATE TABLE participant_prominence (
  participant_id bigint NOT NULL REFERENCES participant ON DELETE CASCADE,
  value real NOT NULL CHECK (value BETWEEN 0 AND 1),
  PRIMARY KEY (participant_id) INCLUDE (value)
);
CREATE TABLE tournament_prominence (
  tournament_id bigint NOT NULL REFERENCES tournament ON DELETE CASCADE,
  value real NOT NULL CHECK (value BETWEEN 0 AND 1),
  PRIMARY KEY (tournament_id) INCLUDE (value)
);

-- One process of all writes these tables.
CREATE TABLE search_refresh (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  generation bigint NOT NULL DEFAULT 0,
  holder text,
  expires_at timestamptz NOT NULL DEFAULT '-infinity',
  refreshed_at timestamptz NOT NULL DEFAULT '-infinity',
  change_cursor bigint NOT NULL DEFAULT 0, -- change cursor up to which matches are included
  last_participant bigint NOT NULL DEFAULT 0, -- newest entities that are included
  last_tournament bigint NOT NULL DEFAULT 0,
  lists text NOT NULL DEFAULT '',          -- digest of the lists of aliases
  revision bigint NOT NULL DEFAULT 0       -- incremented when an alias, or a tournament's prominence, has changed
);
INSERT INTO search_refresh DEFAULT VALUES;
