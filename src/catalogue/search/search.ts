/**
 * Search for participants and tournaments. It first finds names that contain every word of the query, as a whole word or as a
 * prefix. If no hit is likely, it tries the query typed in the other keyboard layout, then the query with typos corrected to
 * known words, and then names that share most trigrams with it. Names and queries are compared by sound (see sound_of in the
 * migrations), so that accents, alphabets and transliterations do not matter. ranking.ts orders the hits.
 */
import type pg from 'pg';
import { foldName } from '../../db/fold-name.ts';
import { PLANNED_ONCE } from '../../db/postgres.ts';
import { readTransaction } from '../../db/routed-reads.ts';
import { readTogether } from '../../http/index.ts';
import type { MatchAccess } from '../../wire/access.ts';
import type { ParticipantType } from '../../wire/match.ts';
import { type FoundParticipant, participantsById, type SearchHit, searchHits, tournamentsWithin } from '../queries.ts';
import {
  containing,
  corrected,
  literally,
  namesTournament,
  type ResemblingWords,
  SEARCH_SETTINGS,
  type SearchFilter,
  similar,
} from './name-queries.ts';
import { mergeRanked, QUALITY, type Ranked, Ranking } from './ranking.ts';
import { buildSpellings, type Spelling, type Spellings } from './spellings.ts';

export interface ParticipantSearch {
  q: string;
  sport?: string | undefined;
  type?: ParticipantType | undefined;
  limit: number;
}

export interface TournamentSearch {
  q: string;
  sport?: string | undefined;
  country?: string | undefined;
}

/**
 * Minimum number of candidates from each statement. This is more than are shown, because gender affects the score only after
 * the candidates have been chosen.
 */
const MIN_CANDIDATES = 40;
/** Maximum number of tournaments that a query finds. */
const MAX_TOURNAMENTS = 1_000;
/** If there are at least this many hits, names that are merely similar to the query are not searched for. */
const ENOUGH_HITS = 10;
/** If the best hit scores lower than this, the query may have been typed in the wrong keyboard layout. */
const LIKELY_SCORE = 0.03;
/** If the best hit scores lower than this, the query may be mistyped. */
const UNCERTAIN_SCORE = 0.12;
/**
 * Number of letters in a tournament's abbreviation. A shorter or longer text may also be the beginning of a name. For
 * example, "olympia" begins Olympiacos as well as the Olympic Games.
 */
const ABBREVIATION = { least: 3, most: 4 };

/**
 * Finds the best `limit` participants for a query, best first, with their present names. A query without a letter or digit
 * finds none.
 */
export async function searchParticipants(
  pool: pg.Pool,
  { q, ...filter }: ParticipantSearch,
  now: Date,
): Promise<FoundParticipant[]> {
  const spellings = buildSpellings(q);
  if (spellings.typed.length === 0) return [];
  return searching(pool, async (client) => {
    const ranking = await rank(client, spellings, { subject: 'participant', ...filter });
    return participantsById(client, ranking.ranked().slice(0, filter.limit), now);
  });
}

export interface Search {
  q: string;
  sport?: string | undefined;
  limit: number;
}

/** Finds the best `limit` teams, players and tournaments together, best first, with their present names. */
export async function searchEverything(
  pool: pg.Pool,
  { q, sport, limit }: Search,
  now: Date,
  access: MatchAccess | null,
): Promise<SearchHit[]> {
  return searching(pool, async (client) => {
    const spellings = buildSpellings(q);
    const resembling: ResemblingWords = new Map();
    const participants = await rank(client, spellings, { subject: 'participant', sport, limit }, { resembling });
    // A query that is a team's whole name is not a mistyped tournament.
    const mayBeMistyped = !isUnderstood(spellings, participants);
    const tournaments = await rankTournaments(client, { q, sport }, { resembling, mayBeMistyped });
    const allowed = await tournamentsWithin(client, tournaments.ranked(), access);
    const found = mergeRanked(
      participants.ranked().map((hit) => ({ ...hit, isTournament: false })),
      allowed.map((hit) => ({ ...hit, isTournament: true })),
    );
    return searchHits(client, found.slice(0, limit), now);
  });
}

/** Returns the ids of the tournaments that a query finds, best first. */
export const searchTournaments = (pool: pg.Pool, search: TournamentSearch): Promise<Ranked[]> =>
  searching(pool, async (client) => (await rankTournaments(client, search)).ranked());

async function rankTournaments(
  client: pg.PoolClient,
  { q, ...filter }: TournamentSearch,
  options?: RankOptions,
): Promise<Ranking> {
  const asked: SearchFilter = { subject: 'tournament', ...filter, limit: MAX_TOURNAMENTS };
  if (foldName(q) !== '') return rank(client, buildSpellings(q), asked, options);
  const ranking = new Ranking();
  ranking.add(await literally(client, q.trim(), asked), false);
  return ranking;
}

/** Runs a search in one transaction, with the settings that the statements need. */
const searching = <T>(pool: pg.Pool, search: (client: pg.PoolClient) => Promise<T>): Promise<T> =>
  readTogether(pool, (shared) => readTransaction(shared, search, [PLANNED_ONCE, ...SEARCH_SETTINGS]));

/**
 * True if a word that was left out of the query, such as "women", says which entities are meant. The whole query may then
 * match other entities only by chance.
 */
const isSpecific = (spellings: readonly Spelling[]) =>
  spellings.some(({ gender, isNational }) => gender !== undefined || isNational);

/** True if a query with several words is a participant's whole name. */
const isUnderstood = ({ typed }: Spellings, ranking: Ranking) =>
  typed[0]?.text.includes(' ') === true && ranking.hasWholeWords;

interface RankOptions {
  /** Known words, shared by the statements in a search. */
  resembling?: ResemblingWords;
  /** True if a search for merely similar names is allowed if the search finds no other. */
  mayBeMistyped?: boolean;
}

async function rank(
  client: pg.PoolClient,
  spellings: Spellings,
  filter: SearchFilter,
  { resembling = new Map(), mayBeMistyped = true }: RankOptions = {},
): Promise<Ranking> {
  const { typed, swapped, mayBeSwapped } = spellings;
  const [literal, ...shortened] = typed;
  const ranking = new Ranking();
  if (literal === undefined) return ranking;
  const asked = { ...filter, limit: Math.max(filter.limit, MIN_CANDIDATES) };
  const add = async (some: readonly Spelling[], way: typeof corrected, isDesperate = false) => {
    for (const spelling of some) {
      const found = await way(client, spelling, asked, resembling, isDesperate);
      ranking.add(found, spelling.gender !== undefined);
    }
  };
  await add([literal], containing);
  if (ranking.size === 0 || isSpecific(shortened)) await add(shortened, containing);
  const isLikely = ranking.bestScore >= LIKELY_SCORE;
  if (filter.subject === 'participant' && !ranking.hasWholeWords && (await namesTournament(client, literal))) {
    // "EPL" and "ЛЧ" are names of tournaments, not mistyped names of teams or players.
    const { length } = literal.text;
    const mayBeginName = length > ABBREVIATION.most || (length < ABBREVIATION.least && isLikely);
    return mayBeginName ? ranking : new Ranking();
  }
  if (!isLikely || mayBeSwapped) await add(swapped, containing);
  if (!mayBeMistyped) return ranking;
  // A tournament list has everything that matches, and a total, so one hit is enough. For participants, the search continues
  // until one is likely to be meant.
  const hasMeant = filter.subject === 'tournament' || isUnderstood(spellings, ranking);
  const isWanting = (score: number) => (hasMeant ? ranking.size === 0 : ranking.bestScore < score);
  if (isWanting(UNCERTAIN_SCORE)) await add([literal], corrected);
  if (ranking.size === 0) await add(swapped, corrected);
  if (isWanting(QUALITY.similar) && ranking.size < ENOUGH_HITS) await add([literal], similar);
  if (ranking.size === 0) await add([literal], corrected, true);
  return ranking;
}
