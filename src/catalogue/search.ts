/**
 * Search for participants by name. First the names that contain every word of the query, or a word with it as a prefix;
 * if there are none, the same with the query typed in the other keyboard layout; if there are few, the query with its
 * typos corrected to known words, and names that share most of their trigrams with it. Names and queries are compared
 * by sound (see sound_of in the migrations), so that accents, alphabets and transliterations do not matter.
 */
import type pg from 'pg';
import { foldName } from '../db/fold.ts';
import { type Queryable, transaction } from '../db/postgres.ts';
import { otherLayout } from './keyboard.ts';
import { type FoundParticipant, participantsById } from './queries.ts';
import { editDistance, swaps, typosAllowed } from './typos.ts';

export interface ParticipantSearch {
  q: string;
  sport?: string | undefined;
  type?: 'team' | 'player' | undefined;
  limit: number;
}
type Filter = Pick<ParticipantSearch, 'sport' | 'type' | 'limit'>;
interface Spelling {
  text: string;
  /** Factor of the relevance of its hits; the query as typed has 1. */
  weight: number;
}

const OTHER_LAYOUT_WEIGHT = 0.95;
const CORRECTED_WEIGHT = 0.75;
const SIMILAR_WEIGHT = 0.7;
/** Further words of a query are ignored. */
const MAX_WORDS = 8;
/** Known words by which one mistyped word may be replaced. */
const MAX_CORRECTIONS = 20;
/** Letters of scripts that are not folded to Latin may have no trigrams: every name would be examined. */
const HAS_TRIGRAMS = /[a-z0-9]/;
/** Minimum share of trigrams that a known word has in common with a mistyped one. */
const WORD_SIMILARITY = 0.3;
/** Minimum share of the query's trigrams that a part of a name has. */
const NAME_SIMILARITY = 0.55;

/** The best `limit` participants for a query, best first, under their present names; none for a query without a letter or digit. */
export async function searchParticipants(
  pool: pg.Pool,
  search: ParticipantSearch,
  now: Date,
): Promise<FoundParticipant[]> {
  const typed = { text: folded(search.q), weight: 1 };
  const swapped = { text: folded(otherLayout(search.q) ?? ''), weight: OTHER_LAYOUT_WEIGHT };
  if (typed.text === '') return [];
  return transaction(pool, async (client) => {
    const found = await containing(client, typed, search);
    if (found.size === 0 && swapped.text.length > 1) merge(found, await containing(client, swapped, search));
    if (found.size < search.limit) merge(found, await corrected(client, typed, search));
    if (found.size < search.limit) merge(found, await similar(client, typed, search));
    if (found.size === 0 && swapped.text.length > 1) merge(found, await corrected(client, swapped, search));
    return participantsById(client, best(found, search.limit), now);
  });
}

const folded = (query: string) => foldName(query).split(' ').slice(0, MAX_WORDS).join(' ');

/** Relevance by participant id. */
type Found = Map<number, number>;

function merge(into: Found, from: Found): void {
  for (const [id, relevance] of from) into.set(id, Math.max(relevance, into.get(id) ?? 0));
}

const best = (found: Found, limit: number) =>
  [...found]
    .sort(([, left], [, right]) => right - left)
    .slice(0, limit)
    .map(([id, relevance]) => ({ id, relevance }));

/**
 * The best of `aliases`, a query that gives (participant_id, relevance); its parameters start at $4. Participants are
 * read only for a filter: a query of two letters has thousands of hits.
 */
async function ranked(client: Queryable, filter: Filter, aliases: string, values: unknown[]): Promise<Found> {
  const { rows } = await client.query<{ id: number; relevance: number }>(
    `SELECT h.participant_id AS id, max(h.relevance) AS relevance FROM (${aliases}) h
     WHERE ($2::text IS NULL AND $3::text IS NULL) OR EXISTS (
       SELECT FROM participant p
       WHERE p.id = h.participant_id AND ($2::text IS NULL OR p.sport = $2) AND ($3::text IS NULL OR p.type = $3))
     GROUP BY h.participant_id ORDER BY relevance DESC, id LIMIT $1`,
    [filter.limit, filter.sport ?? null, filter.type ?? null, ...values],
  );
  return new Map(rows.map(({ id, relevance }) => [id, relevance]));
}

/**
 * Names in which each word of a spelling begins a word. 1 for the name itself; above 0.9 for a beginning of the name,
 * the more of it the better; above 0.8 for words within it, in any order.
 */
function containing(client: Queryable, { text, weight }: Spelling, filter: Filter): Promise<Found> {
  return ranked(
    client,
    filter,
    `WITH spelling AS MATERIALIZED (
       SELECT ' ' || sound_of($4) AS sound, ' ' || sound_of($4) || ' ' AS whole,
         (SELECT array_agg('% ' || sound_of(word) || '%' ORDER BY length(word) DESC) FROM unnest($5::text[]) word) AS words
     )
     SELECT a.participant_id, $6::float8 * CASE WHEN a.sound = s.sound THEN 1
         ELSE 0.08 * length(s.sound) / length(a.sound) + CASE
           WHEN starts_with(a.sound, s.whole) THEN 0.91
           WHEN starts_with(a.sound, s.sound) THEN 0.9
           WHEN strpos(a.sound || ' ', s.whole) > 0 THEN 0.81
           ELSE 0.8 END END AS relevance
     FROM spelling s
     JOIN participant_alias a ON a.sound LIKE s.words[1] AND a.sound LIKE coalesce(s.words[2], '%')
       AND a.sound LIKE ALL (s.words)`,
    [text, text.split(' '), weight],
  );
}

/**
 * Names that contain, for each word of a spelling, one of the known words by which it may be replaced; for a word too
 * short to be corrected, a word with it as a prefix.
 */
async function corrected(client: Queryable, { text, weight }: Spelling, filter: Filter): Promise<Found> {
  const words = text.split(' ');
  const known = await knownWords(client, words);
  if (known.size === 0) return new Map();
  const alternatives = [...known.values()];
  const conditions = alternatives.map((_, index) => `string_to_array(a.key, ' ') && $${index + 7}::text[]`);
  return ranked(
    client,
    filter,
    `SELECT a.participant_id, $5::float8 * (0.9 + 0.1 * least(1, length($4)::float8 / length(a.key))) AS relevance
     FROM participant_alias a
     WHERE ${conditions.join(' AND ')} AND a.sound LIKE ALL (SELECT '% ' || sound_of(word) || '%' FROM unnest($6::text[]) word)`,
    [text, weight * CORRECTED_WEIGHT, words.filter((word) => !known.has(word)), ...alternatives],
  );
}

/** For each word long enough to be corrected: the known words within its allowed number of typos, nearest first. */
async function knownWords(client: Queryable, words: readonly string[]): Promise<Map<string, string[]>> {
  const mistyped = words.filter((word) => typosAllowed(word) > 0 && HAS_TRIGRAMS.test(word));
  if (mistyped.length === 0) return new Map();
  await client.query(`SET LOCAL pg_trgm.similarity_threshold = ${WORD_SIMILARITY}`);
  const swapped = mistyped.flatMap((word) => swaps(word).map((swap) => ({ word, swap })));
  const { rows } = await client.query<{ typed: string; known: string }>(
    `SELECT typed, word AS known FROM unnest($1::text[]) typed JOIN alias_word ON word % typed
     UNION SELECT typed, word FROM unnest($2::text[], $3::text[]) swapped (typed, swap) JOIN alias_word ON word = swap`,
    [mistyped, swapped.map(({ word }) => word), swapped.map(({ swap }) => swap)],
  );
  const near = rows
    .map((row) => ({ ...row, distance: editDistance(row.typed, row.known) }))
    .filter(({ typed, distance }) => distance <= typosAllowed(typed))
    .sort((a, b) => a.distance - b.distance || (a.known < b.known ? -1 : 1));
  const result = new Map<string, string[]>();
  for (const { typed, known } of near)
    result.set(typed, [...(result.get(typed) ?? []), known].slice(0, MAX_CORRECTIONS));
  return result;
}

/** Names a part of which shares most trigrams with a spelling. */
async function similar(client: Queryable, { text, weight }: Spelling, filter: Filter): Promise<Found> {
  if (!HAS_TRIGRAMS.test(text)) return new Map();
  await client.query(`SET LOCAL pg_trgm.word_similarity_threshold = ${NAME_SIMILARITY}`);
  return ranked(
    client,
    filter,
    `WITH spelling AS MATERIALIZED (SELECT sound_of($4) AS sound)
     SELECT a.participant_id,
       $5::float8 * (0.8 * word_similarity(s.sound, a.sound) + 0.2 * similarity(s.sound, a.sound)) AS relevance
     FROM spelling s JOIN participant_alias a ON s.sound <% a.sound`,
    [text, weight * SIMILAR_WEIGHT],
  );
}
