-- Names by which search alone finds an entity. They are no part of its identity: feeds and imports never read them. Of participants those
-- that no provider has given; of tournaments all.
CREATE TABLE search_alias (
  subject text NOT NULL CHECK (subject IN ('participant', 'tournament')),
  subject_id bigint NOT NULL,
  key text NOT NULL,                       -- the folded name
  sound text NOT NULL GENERATED ALWAYS AS (' ' || sound_of(key)) STORED,
  name text NOT NULL,
  locale text NOT NULL DEFAULT 'en',
  PRIMARY KEY (subject, subject_id, name, locale)
);
CREATE INDEX search_alias_trgm ON search_alias USING gin (sound gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX search_alias_words ON search_alias USING gin (string_to_array(key, ' ')) WITH (gin_pending_list_limit = 256);
CREATE TRIGGER note_words_of_new AFTER INSERT ON search_alias
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_alias_words();

-- How likely people mean an entity, from 0 to 1: see catalogue/search/prominence.ts.
CREATE TABLE search_prominence (
  subject text NOT NULL CHECK (subject IN ('participant', 'tournament')),
  subject_id bigint NOT NULL,
  value real NOT NULL CHECK (value BETWEEN 0 AND 1),
  PRIMARY KEY (subject, subject_id) INCLUDE (value)
);

-- Of all processes, one writes both tables.
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
  revision bigint NOT NULL DEFAULT 0       -- raised when an alias or a prominence of a tournament has changed
);
INSERT INTO search_refresh DEFAULT VALUES;
