-- The catalogue: each sport, country, tournament, season, venue and participant exists once.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE sport (
  id integer PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  name text NOT NULL,
  name_ru text
);

CREATE TABLE country (
  iso text PRIMARY KEY,           -- ISO 3166-1 alpha-2, GB-ENG, GB-SCT, GB-WLS, GB-NIR, or INT for international entities
  name text NOT NULL,
  name_ru text
);

CREATE TABLE tournament (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sport text NOT NULL REFERENCES sport (slug),
  country text NOT NULL REFERENCES country (iso),
  gender text NOT NULL DEFAULT 'men',      -- men, women, mixed
  name text NOT NULL,
  name_ru text,
  key text NOT NULL,                       -- folded name; identity within sport, country and gender
  tier smallint,
  importance smallint NOT NULL DEFAULT 30 CHECK (importance BETWEEN 0 AND 100),
  amateur boolean NOT NULL DEFAULT false,
  youth boolean NOT NULL DEFAULT false,
  timezone text,                           -- IANA zone of its kick-offs if sources give local times
  rules jsonb NOT NULL DEFAULT '{}',       -- rules of its tables: see competitions/standings
  single_home_fixture boolean NOT NULL DEFAULT false, -- a pairing has one match at each ground in a season
  demo boolean NOT NULL DEFAULT false,
  provenance jsonb NOT NULL DEFAULT '{}',
  UNIQUE (sport, country, gender, key)
);
CREATE INDEX tournament_key_trgm ON tournament USING gin (key gin_trgm_ops);

CREATE TABLE season (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tournament_id bigint NOT NULL REFERENCES tournament,
  season_label text NOT NULL,              -- 2023/24 or 2022
  start_date date,
  end_date date,
  rules jsonb,                             -- overrides the tournament's for this season
  UNIQUE (tournament_id, season_label)
);

CREATE TABLE venue (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  key text NOT NULL,
  city text,
  city_key text NOT NULL DEFAULT '',
  country text NOT NULL REFERENCES country (iso),
  capacity integer,
  latitude double precision,
  longitude double precision,
  timezone text,
  provenance jsonb NOT NULL DEFAULT '{}',
  UNIQUE (country, key, city_key)
);

CREATE TABLE participant (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type text NOT NULL CHECK (type IN ('team', 'player')),
  sport text NOT NULL REFERENCES sport (slug),
  name text NOT NULL,
  name_ru text,
  country text REFERENCES country (iso),
  gender text NOT NULL DEFAULT 'men',
  birth_date date,
  key text NOT NULL,                       -- identity within type, sport and gender, a team's country included: see identity/identity.ts
  extra jsonb NOT NULL DEFAULT '{}',
  image_etag text,
  provenance jsonb NOT NULL DEFAULT '{}',
  UNIQUE (type, sport, gender, key)
);

-- The form of a folded name that search compares: spellings of one sound (Dynamo, Dinamo; Muenchen, Munchen; Schevchenko, Shevchenko) are equal.
CREATE FUNCTION sound_of(key text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN regexp_replace(translate(
  regexp_replace(regexp_replace(regexp_replace(replace(replace(replace(replace(key, 'x', 'ks'), 'ph', 'f'), 'ck', 'k'), 'kh', 'h'),
    'shch|sch', 'sh', 'g'), 'ts|tz', 'c', 'g'), '([aou])e', '\1', 'g'),
  'jyw', 'iiv'), '(.)\1+', '\1', 'g');

-- All names of a participant, including the display name. `key` is the name folded to plain Latin letters; search reads `sound`.
CREATE TABLE participant_alias (
  participant_id bigint NOT NULL REFERENCES participant ON DELETE CASCADE,
  key text NOT NULL,
  sound text NOT NULL GENERATED ALWAYS AS (' ' || sound_of(key)) STORED, -- the space: each word begins with one
  name text NOT NULL,
  locale text NOT NULL DEFAULT 'en',
  provider text NOT NULL,
  PRIMARY KEY (participant_id, name, locale)
);
-- Each search reads the pending lists of these indexes: at their default of 4 MB that takes 10 ms, after every import.
CREATE INDEX participant_alias_trgm ON participant_alias USING gin (sound gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE INDEX participant_alias_words ON participant_alias USING gin (string_to_array(key, ' ')) WITH (gin_pending_list_limit = 256);

-- The words of all aliases: a mistyped word is searched here, in far fewer rows than the aliases have.
CREATE TABLE alias_word (word text PRIMARY KEY);
CREATE INDEX alias_word_trgm ON alias_word USING gin (word gin_trgm_ops) WITH (gin_pending_list_limit = 256);
CREATE FUNCTION note_alias_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO alias_word
  SELECT DISTINCT word FROM added, string_to_table(key, ' ') word WHERE length(word) > 3 ORDER BY word
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER note_words_of_new AFTER INSERT ON participant_alias
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_alias_words();
CREATE TRIGGER note_words_of_changed AFTER UPDATE ON participant_alias
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_alias_words();

CREATE TABLE participant_image (
  participant_id bigint PRIMARY KEY REFERENCES participant ON DELETE CASCADE,
  png bytea NOT NULL,
  etag text NOT NULL
);

-- Ids of our entities at providers. Most providers number teams and players separately, so their ids are two series.
CREATE TABLE external_ref (
  entity text NOT NULL CHECK (entity IN ('tournament', 'team', 'player', 'match', 'venue')),
  provider text NOT NULL,
  external_id text NOT NULL,
  entity_id bigint NOT NULL,
  PRIMARY KEY (entity, provider, external_id)
);
CREATE INDEX external_ref_entity ON external_ref (entity, entity_id);

CREATE TABLE points_adjustment (
  season_id bigint NOT NULL REFERENCES season,
  participant_id bigint NOT NULL REFERENCES participant,
  points integer NOT NULL,                 -- negative if deducted
  reason text,
  provenance jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (season_id, participant_id)
);
