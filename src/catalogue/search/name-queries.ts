/** Statements for search. Each finds participants or tournaments whose names match a spelling in a certain way. */
import { firstRow, prepared, type Queryable } from '../../db/postgres.ts';
import type { ParticipantType } from '../../wire/match.ts';
import { type Candidate, PRIOR_SPREAD, QUALITY } from './ranking.ts';
import { isInitials, type Spelling } from './spellings.ts';
import { editDistance, swaps, typosAllowed } from './typos.ts';

export type Subject = 'participant' | 'tournament';

export interface SearchFilter {
  subject: Subject;
  sport?: string | undefined;
  /** Only for participants. */
  type?: ParticipantType | undefined;
  /** Only for tournaments. */
  country?: string | undefined;
  /** Maximum number of candidates, the best scores first. */
  limit: number;
}

/** Maximum number of known words that may replace one mistyped word. */
const MAX_CORRECTIONS = 20;
/**
 * Matches text that has trigrams. Letters of scripts that are not folded to Latin may have none, and a search for them would
 * read every name.
 */
const HAS_TRIGRAMS = /[a-z0-9]/;
/** Minimum share of trigrams that a mistyped word has in common with the known word for it. */
const WORD_SIMILARITY = 0.3;
/** Minimum share of the query's trigrams that a part of the name must have. */
const NAME_SIMILARITY = 0.5;
/** Minimum share of each query word's trigrams that a tournament name must have. */
const EACH_WORD_SIMILARITY = 0.4;

/** Postgres settings for a search transaction. */
export const SEARCH_SETTINGS = [
  `SET LOCAL pg_trgm.similarity_threshold = ${WORD_SIMILARITY}`,
  `SET LOCAL pg_trgm.word_similarity_threshold = ${NAME_SIMILARITY}`,
];

/**
 * The tables with names. They are combined without a condition on either table. With one, Postgres would read the whole table
 * instead of an index.
 */
const NAMES: Record<Subject, string> = {
  participant: `(SELECT participant_id AS id, key, sound FROM participant_alias
    UNION ALL SELECT participant_id, key, sound FROM participant_search_alias)`,
  tournament: '(SELECT tournament_id AS id, key, sound FROM tournament_alias)',
};

/**
 * Conditions on parameters $1 to $6. Participant rows are read only if a filter is given, because a two-letter query has
 * thousands of hits.
 */
const FILTERS: Record<Subject, string> = {
  participant: `$4::text IS NULL AND (($2::text IS NULL AND $3::text IS NULL AND $5::text IS NULL AND NOT $6::boolean) OR EXISTS (
    SELECT FROM participant e WHERE e.id = g.id AND ($2 IS NULL OR e.sport = $2) AND ($3 IS NULL OR e.type = $3)
      AND ($5 IS NULL OR e.gender = $5) AND (NOT $6 OR split_part(e.key, '|', 2) LIKE 'national team %')))`,
  tournament: `EXISTS (SELECT FROM tournament e WHERE e.id = g.id AND ($2::text IS NULL OR e.sport = $2)
    AND ($4::text IS NULL OR e.country = $4) AND ($5::text IS NULL OR e.gender = $5)) AND NOT $6::boolean AND $3::text IS NULL`,
};
const OWN_PARAMETERS = 7;

/**
 * SQL for whether a typed name is the entity's Russian name. Because of OFFSET 0, Postgres looks up each entity's names,
 * instead of searching the whole table for the typed name.
 */
const isRussianName = (table: string) =>
  `EXISTS (SELECT FROM ${table} r WHERE r.participant_id = e.id AND r.name = e.name_ru AND r.key = $7 OFFSET 0)`;
/**
 * SQL for whether a typed name is the entity's own name. A team's key has the name after the country, and a tournament's key
 * is its name. A player's key has no full name.
 */
const IS_OWN_NAME: Record<Subject, string> = {
  participant: `CASE WHEN e.type = 'team' THEN split_part(e.key, '|', 2) IN ($7, 'national team ' || $7)
    OR ${isRussianName('participant_alias')} OR ${isRussianName('participant_search_alias')} END`,
  tournament: 'e.key = $7',
};
const KIND: Record<Subject, string> = { participant: 'e.type', tournament: "'tournament'" };
const IS_NATION: Record<Subject, string> = {
  participant: "e.type = 'team' AND split_part(e.key, '|', 2) LIKE 'national team %'",
  tournament: 'false',
};

interface Hits {
  /** Name for the prepared statement. */
  name: string;
  /** A query that returns (id, quality), one for each name. Parameters start at $8. */
  sql: string;
  values: unknown[];
}

/** Selects the best hits. */
async function candidates(
  client: Queryable,
  filter: SearchFilter,
  { text, gender, isNational }: Spelling,
  { name, sql, values }: Hits,
): Promise<Candidate[]> {
  const { subject, limit, sport, type, country } = filter;
  // Because of the first OFFSET 0, Postgres reads prominence once instead of for each of thousands of hits. Because of the
  // second, it finds hits by words first, since one plan for all filters would begin with every tournament.
  const isShort = text.length <= SHORT_LETTERS;
  const prominence = isShort ? `(SELECT * FROM ${subject}_prominence OFFSET 0)` : `${subject}_prominence`;
  const statement = prepared(
    `search ${subject} ${name}${isShort ? ', short' : ''}`,
    `SELECT c.id, c.quality, c.prominence, e.gender, ${IS_OWN_NAME[subject]} AS "isOwnName", ${IS_NATION[subject]} AS "isNation", e.sport, ${KIND[subject]} AS kind FROM (
       SELECT g.id, g.quality, coalesce(p.value, 0)::float8 AS prominence
       FROM (${sql} OFFSET 0) g LEFT JOIN ${prominence} p ON p.${subject}_id = g.id
       WHERE ${FILTERS[subject]}
       ORDER BY g.quality * exp(${PRIOR_SPREAD} * (coalesce(p.value, 0) - 1)) DESC, g.id LIMIT $1) c
     JOIN ${subject} e ON e.id = c.id`,
  );
  const own = [
    limit * NAMES_EACH,
    sport ?? null,
    type ?? null,
    country ?? null,
    gender ?? null,
    isNational ?? false,
    text,
  ];
  const { rows } = await client.query<Candidate>(statement([...own, ...values]));
  return rows;
}
const parameter = (index: number) => `$${OWN_PARAMETERS + index}`;

const [PREFIX_LEAST, PREFIX_MOST] = QUALITY.prefix;
const [PREFIXES_LEAST, PREFIXES_MOST] = QUALITY.prefixes;
/** SQL for a quality between `least` and `most`, by how much of the name was typed. */
const share = (least: number, most: number) => `${least} + ${most - least} * length(s.sound)::float8 / length(a.sound)`;
/** SQL for a quality that is slightly higher for the shorter of two names that match equally well. */
const shorter = (quality: number) => `${quality} * (0.95 + 0.05 * length(s.sound)::float8 / length(a.sound))`;

/** Average number of names per entity that match a query. The caller uses each entity's best one. */
const NAMES_EACH = 4;
/** A spelling of at most this many letters is a prefix of thousands of names. */
const SHORT_LETTERS = 3;

/** A word with fewer letters sounds like too many words. */
const LEAST_DISTINCT = 5;
/** A word with fewer letters is the beginning of too many names, and more likely an abbreviation. */
const LEAST_BEGINNING = 3;
const HAS_DIGIT = /\d/;

/** SQL condition that a name contains each of the words as a whole word. */
const hasWords = (words: string) =>
  `a.sound || ' ' LIKE ALL (SELECT '% ' || sound_of(word) || ' %' FROM unnest(${words}::text[]) word)`;

/**
 * Finds names in which each word of a spelling is a prefix of a word, in any order. If the spelling has only one sound
 * ("aa"), finds only whole names. If the spelling has initials, the rest must be whole words. In a tournament name, a
 * short word that is not the last must be a whole word, so that "FA cup" does not find the King Fahd Cup.
 */
export async function containing(client: Queryable, spelling: Spelling, filter: SearchFilter): Promise<Candidate[]> {
  const { text, weight } = spelling;
  const typed = text.split(' ');
  const isOneWord = typed.length === 1;
  const isWhole = filter.subject === 'tournament' && !isOneWord;
  const part = filter.subject === 'tournament' ? QUALITY.partOfTournament : 1;
  const otherwise = text.length < LEAST_DISTINCT ? QUALITY.shortSpelledOtherwise : QUALITY.spelledOtherwise;
  const hasInitials = filter.subject === 'participant' && isInitials(text);
  const initials = hasInitials ? `WHEN ${hasWords(parameter(4))} THEN ${shorter(QUALITY.initials)} ` : '';
  const beginning = `CASE WHEN starts_with(a.key, ${parameter(1)}) THEN 1 ELSE ${otherwise} END * (${share(PREFIX_LEAST, PREFIX_MOST)})`;
  const words = (quality: number) =>
    `CASE WHEN strpos(' ' || a.key || ' ', ' ' || ${parameter(1)} || ' ') > 0 THEN 1 ELSE ${otherwise} END * ${shorter(quality * part)}`;
  const found = await candidates(client, filter, spelling, {
    name: `containing ${isOneWord ? 'a word' : 'words'}${hasInitials ? ' and initials' : ''}, ${otherwise}`,
    sql: `WITH spelling AS MATERIALIZED (
       SELECT ' ' || sound_of(${parameter(1)}) AS sound, ' ' || sound_of(${parameter(1)}) || ' ' AS whole,
         (SELECT array_agg(CASE WHEN length(sound_of(${parameter(1)})) = 1 THEN ' ' || sound_of(word) ELSE '% ' || sound_of(word) || '%' END
            ORDER BY length(word) DESC) FROM unnest(${parameter(2)}::text[]) word) AS words,
         (SELECT array_agg('% ' || sound_of(word) || ' %') FROM unnest(${parameter(2)}::text[]) word) AS whole_words
     )
     SELECT a.id, ${parameter(3)}::float8 * CASE
         WHEN strpos(a.sound || ' ', s.whole) = 0 THEN CASE
           ${initials}WHEN starts_with(a.sound, s.sound) THEN ${beginning}
           ${isOneWord ? '' : `WHEN a.sound || ' ' LIKE ALL (s.whole_words) THEN ${shorter(QUALITY.reordered)}`}
           ELSE ${share(PREFIXES_LEAST, PREFIXES_MOST)} END
         WHEN a.key = ${parameter(1)} THEN ${QUALITY.exact}
         WHEN a.sound = s.sound THEN ${otherwise}
         WHEN right(a.sound, length(s.sound)) = s.sound THEN ${words(QUALITY.trailing)}
         WHEN starts_with(a.sound, s.whole) THEN ${words(QUALITY.leading)}
         ELSE ${words(QUALITY.inner)} END AS quality
     FROM spelling s
     JOIN ${NAMES[filter.subject]} a ON a.sound LIKE s.words[1]
       ${isOneWord ? '' : 'AND a.sound LIKE s.words[2] AND a.sound LIKE ALL (s.words)'} ${isWhole ? `AND ${hasWords(parameter(4))}` : ''}`,
    values: [
      text,
      typed,
      weight,
      ...(isWhole ? [typed.slice(0, -1).filter((word) => word.length < LEAST_BEGINNING)] : []),
      ...(hasInitials ? [typed.filter((word) => word.length > 1)] : []),
    ],
  });
  // A source that abbreviates names creates players whose whole name is an abbreviation. It must not count as a whole name.
  const limitQuality = ({ kind, quality, ...hit }: Candidate) => ({
    ...hit,
    kind,
    quality: kind === 'player' ? Math.min(quality, QUALITY.initials) : quality,
  });
  return hasInitials ? found.map(limitQuality) : found;
}

/**
 * Finds names by known words that may replace the words in a spelling. The name must contain one of the known words for each word in the
 * spelling. A word too short to be corrected counts as a prefix.
 * @param isDesperate also allows one typo in shorter words
 */
export async function corrected(
  client: Queryable,
  spelling: Spelling,
  filter: SearchFilter,
  resembling: ResemblingWords,
  isDesperate = false,
): Promise<Candidate[]> {
  const { text, weight } = spelling;
  const words = text.split(' ');
  const known = await knownWords(client, words, isDesperate, resembling);
  if (known.size === 0) return [];
  const [oneTypo, twoTypos] = QUALITY.corrected;
  const [surname, part] = QUALITY.partCorrected;
  const alternatives = [...known.values()];
  const lists = alternatives.flatMap(({ all, near }) => [all, near]);
  const list = (index: number) => `${parameter(4 + index)}::text[]`;
  const all = alternatives.map((_, index) => `string_to_array(a.key, ' ') && ${list(2 * index)}`);
  const near = alternatives.map((_, index) => `string_to_array(a.key, ' ') && ${list(2 * index + 1)}`);
  return candidates(client, filter, spelling, {
    name: `corrected, ${alternatives.length} of ${words.length} words`,
    sql: `SELECT a.id, ${parameter(2)}::float8 * CASE WHEN ${near.join(' AND ')} THEN ${oneTypo} ELSE ${twoTypos} END
       * CASE WHEN cardinality(string_to_array(a.key, ' ')) = ${words.length} THEN 1
         WHEN split_part(a.key, ' ', -1) = ANY (${list(2 * (alternatives.length - 1))}) THEN ${surname} ELSE ${part} END
       * (0.9 + 0.1 * least(1, length(${parameter(1)})::float8 / length(a.key))) AS quality
     FROM ${NAMES[filter.subject]} a
     WHERE ${all.join(' AND ')}
       AND a.sound LIKE ALL (SELECT '% ' || sound_of(word) || '%' FROM unnest(${parameter(3)}::text[]) word)`,
    values: [text, weight, words.filter((word) => !known.has(word)), ...lists],
  });
}

interface Corrections {
  all: string[];
  /**
   * Words with at most one typo and the same first letter, since people rarely mistype the first letter. The first two
   * letters may be swapped.
   */
  near: string[];
}
const SHORTEST_CORRECTED = 4;

/** The known words that resemble each word of a query. Several statements in a search need them. */
export type ResemblingWords = Map<string, readonly string[]>;

const RESEMBLING = prepared(
  'search resembling words',
  `SELECT typed, word AS known FROM unnest($1::text[]) typed JOIN alias_word ON word % typed
   UNION SELECT typed, word FROM unnest($2::text[], $3::text[]) swapped (typed, swap) JOIN alias_word ON word = swap`,
);

const isSwap = (typed: string, known: string) => typed[0] === known[1] && typed[1] === known[0];

/** Returns the known words that resemble each word. Those that an earlier statement has looked up come from `resembling`. */
async function resemblingWords(
  client: Queryable,
  words: readonly string[],
  resembling: ResemblingWords,
): Promise<{ typed: string; known: string }[]> {
  const unread = words.filter((word) => !resembling.has(word));
  if (unread.length > 0) {
    const swapped = unread.flatMap((word) => swaps(word).map((swap) => ({ word, swap })));
    const { rows } = await client.query<{ typed: string; known: string }>(
      RESEMBLING([unread, swapped.map(({ word }) => word), swapped.map(({ swap }) => swap)]),
    );
    for (const word of unread)
      resembling.set(
        word,
        rows.filter(({ typed }) => typed === word).map(({ known }) => known),
      );
  }
  return words.flatMap((typed) => resembling.get(typed)!.map((known) => ({ typed, known })));
}

/**
 * Returns, for each word that is long enough to be corrected, the known words within the allowed number of typos, nearest
 * first.
 */
async function knownWords(
  client: Queryable,
  words: readonly string[],
  isDesperate: boolean,
  resembling: ResemblingWords,
): Promise<Map<string, Corrections>> {
  const allowed = (word: string) =>
    isDesperate && word.length >= SHORTEST_CORRECTED ? Math.max(1, typosAllowed(word)) : typosAllowed(word);
  const mistyped = words.filter((word) => allowed(word) > 0 && HAS_TRIGRAMS.test(word));
  if (mistyped.length === 0) return new Map();
  const rows = await resemblingWords(client, mistyped, resembling);
  const near = rows
    .map((row) => ({ ...row, distance: editDistance(row.typed, row.known) }))
    .filter(({ typed, distance }) => distance <= allowed(typed))
    .sort((a, b) => a.distance - b.distance || (a.known < b.known ? -1 : 1));
  const result = new Map<string, Corrections>();
  for (const { typed, known, distance } of near) {
    const entry = result.get(typed) ?? { all: [], near: [] };
    result.set(typed, entry);
    if (entry.all.length >= MAX_CORRECTIONS) continue;
    entry.all.push(known);
    if (distance <= 1 && (known[0] === typed[0] || isSwap(typed, known))) entry.near.push(known);
  }
  return result;
}

const REPEATED = /(.)\1+/gu;
/** Minimum number of letters. A shorter text has so few trigrams that too many names would be compared. */
const LEAST_COMPARED = 4;

/**
 * Finds names of which a part shares most trigrams with a spelling. Short words and words with digits must occur in the name
 * as typed, so that "3. Liga" does not find La Liga. A tournament name must resemble each word of the query, so that "EFL
 * Cup" does not find every Cup.
 */
export async function similar(client: Queryable, spelling: Spelling, filter: SearchFilter): Promise<Candidate[]> {
  const { text, weight } = spelling;
  if (!HAS_TRIGRAMS.test(text) || text.replace(REPEATED, '$1').length < LEAST_COMPARED) return [];
  const each =
    filter.subject === 'tournament'
      ? `AND NOT EXISTS (SELECT FROM unnest(string_to_array(s.sound, ' ')) word WHERE word_similarity(word, a.sound) < ${EACH_WORD_SIMILARITY})`
      : '';
  return candidates(client, filter, spelling, {
    name: 'similar',
    sql: `WITH spelling AS MATERIALIZED (SELECT sound_of(${parameter(1)}) AS sound)
     SELECT a.id,
       ${parameter(2)}::float8 * ${QUALITY.similar} * (0.8 * word_similarity(s.sound, a.sound) + 0.2 * similarity(s.sound, a.sound)) AS quality
     FROM spelling s JOIN ${NAMES[filter.subject]} a ON s.sound <% a.sound AND ${hasWords(parameter(3))} ${each}`,
    values: [text, weight, text.split(' ').filter((word) => word.length < LEAST_BEGINNING || HAS_DIGIT.test(word))],
  });
}

const NAMES_TOURNAMENT = prepared(
  'search tournament named',
  'SELECT EXISTS (SELECT FROM tournament_alias WHERE key = $1) AS found',
);

/** True if the text is a tournament's whole name. */
export async function namesTournament(client: Queryable, { text }: Spelling): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(NAMES_TOURNAMENT([text]));
  return firstRow(rows).found;
}

/** Finds tournaments whose names contain the query exactly as typed. Used for a query without a letter or digit. */
export async function literally(client: Queryable, query: string, filter: SearchFilter): Promise<Candidate[]> {
  const spelling = { text: query.toLowerCase(), weight: 1 };
  return candidates(client, filter, spelling, {
    name: 'literally',
    sql: `SELECT tournament_id AS id, ${QUALITY.similar}::float8 AS quality FROM tournament_alias WHERE strpos(lower(name), $7) > 0`,
    values: [],
  });
}
