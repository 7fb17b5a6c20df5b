-- Names by which search alone finds a participant, besides those that providers gave it. They are no part of its identity: feeds and
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

-- Every name by which search finds a tournament, the shown ones included.
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

-- How likely people mean an entity, from 0 to 1: see catalogue/search/prominence.ts. Tables of their own: a new value changes no row that
-- updates lock.
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

-- Of all processes, one writes these tables.
CREATE TABLE search_refresh (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  generation bigint NOT NULL DEFAULT 0,
  holder text,
  expires_at timestamptz NOT NULL DEFAULT '-infinity',
  refreshed_at timestamptz NOT NULL DEFAULT '-infinity',
  change_cursor bigint NOT NULL DEFAULT 0, -- changes of matches up to here are in it
  last_participant bigint NOT NULL DEFAULT 0, -- the newest entities that are in it
  last_tournament bigint NOT NULL DEFAULT 0,
  lists text NOT NULL DEFAULT '',          -- digest of the lists of aliases
  revision bigint NOT NULL DEFAULT 0       -- raised when an alias, or a tournament's prominence, has changed
);
INSERT INTO search_refresh DEFAULT VALUES;
