/**
 * Keeps the most requested cards for matches, sides and leagues fresh. The tournament with the next match comes first. At rest, the cards of
 * all other sides and leagues are computed, so that nobody waits for them.
 */
import { setTimeout as sleep, setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type pg from 'pg';
import type { ClickHouse } from '../../db/clickhouse.ts';
import { formatDate } from '../samples/match-samples.ts';
import {
  isHistoryLoaded,
  recheckMeetings,
  releaseCards,
  saveFresh,
  sidesIn,
  staleTournaments,
  tournamentAfter,
  type WindowMatch,
  type WindowTournament,
  windowMatches,
} from './fresh-window.ts';
import { computeProfile } from './league-profile.ts';
import { computeLeagueTrends } from './league-trends.ts';
import { type Batch, computeCards } from './match-card.ts';
import { type CardKey, type NewCard, storeCards, tournamentVariant } from './stored-cards.ts';
import {
  findMatchSubjects,
  findParticipantSubjects,
  findTournamentSubject,
  type HistoryState,
  type TournamentSubject,
} from './subjects.ts';
import { computeSides, RECENT, sideKey } from './team-trends.ts';

/** Matches or sides per ClickHouse read. */
const BATCH = 20;
/** Pause after a piece of work, as a multiple of the work's duration. With 1, the job takes at most half a core. */
const PAUSE_FACTOR = 1;
/** Minimum time between two searches for changes, in ms and as a multiple of the search's duration. */
const SEARCH_MS = 1_000;
const SEARCH_FACTOR = 10;
/** Time after which a search runs even if the loader has loaded nothing, because rules and the date can change too. */
const IDLE_SEARCH_MS = 15_000;
const RELEASE_MS = 600_000;
/** Time between the end of a walk through all tournaments and the start of the next one. */
const WALK_MS = 6 * 3_600_000;

export interface RefreshDeps {
  pool: pg.Pool;
  clickhouse: ClickHouse;
  clock: { now(): number };
}

const isStale = ({ version, card_version }: HistoryState) => version !== card_version;

/** Splits subjects into batches by season. */
function* batches<S>(subjects: readonly S[], seasonOf: (subject: S) => number | undefined): Generator<Batch<S>> {
  for (const season of new Set(subjects.map(seasonOf))) {
    const played = subjects.filter((subject) => seasonOf(subject) === season);
    for (let from = 0; from < played.length; from += BATCH) {
      const [first, ...others] = played.slice(from, from + BATCH);
      if (first !== undefined) yield [first, ...others];
    }
  }
}

export class CardRefresh {
  readonly #deps: RefreshDeps;
  #stale: WindowTournament[] = [];
  /** Ids of tournaments whose last attempt failed. They come last, so that they do not delay the rest. */
  readonly #failed = new Set<number>();
  /** Change cursor from the last search; null before the first search. */
  #cursor: number | null = null;
  /** Times of the last search, the next search, and the last clean-up, on the monotonic clock in ms. */
  #searched = Number.NEGATIVE_INFINITY;
  #searchAgain = Number.NEGATIVE_INFINITY;
  #released = Number.NEGATIVE_INFINITY;
  /** The last tournament of the walk through all tournaments, and its sides whose cards have not been checked. */
  #walked = 0;
  #unchecked: number[] = [];
  /** When the next walk starts, on the monotonic clock in ms. */
  #walkAgain = Number.NEGATIVE_INFINITY;

  constructor(deps: RefreshDeps) {
    this.#deps = deps;
  }

  /**
   * Makes one tournament's cards fresh.
   * @param signal stops the work between two cards
   * @returns whether there was anything to do
   * @throws {ClickHouseUnavailable}
   */
  async step(signal: AbortSignal): Promise<boolean> {
    const { pool, clock } = this.#deps;
    if (performance.now() >= this.#searchAgain) await this.#search();
    const [tournament] = this.#stale;
    if (tournament === undefined) {
      await this.#release();
      return false;
    }
    this.#failed.add(tournament.id);
    const matches = await windowMatches(pool, tournament.id, clock.now());
    await this.#refreshMatches(matches, signal);
    const sides = new Set(matches.flatMap(({ home_id, away_id }) => [home_id, away_id]));
    await this.#refreshSides([...sides], signal, true);
    await this.#refreshLeague(tournament.id, signal, true);
    await saveFresh(pool, tournament);
    this.#failed.delete(tournament.id);
    this.#stale.shift();
    return true;
  }

  /**
   * Goes on with the walk through all tournaments: computes the missing and stale cards of at most 20 sides, and of the next league.
   * @param signal stops the work between two cards
   * @throws {ClickHouseUnavailable}
   */
  async fill(signal: AbortSignal): Promise<void> {
    if (this.#unchecked.length === 0) {
      if (performance.now() < this.#walkAgain || !(await isHistoryLoaded(this.#deps.pool))) return;
      const next = await tournamentAfter(this.#deps.pool, this.#walked);
      this.#walked = next ?? 0;
      if (next === null) this.#walkAgain = performance.now() + WALK_MS;
      else {
        this.#unchecked = await sidesIn(this.#deps.pool, next);
        await this.#refreshLeague(next, signal, false);
      }
    }
    await this.#refreshSides(this.#unchecked.splice(0, BATCH), signal, false);
  }

  async #search(): Promise<void> {
    const { pool, clock } = this.#deps;
    const begun = performance.now();
    const cursor = await recheckMeetings(pool, this.#cursor, clock.now());
    if (cursor === this.#cursor && begun - this.#searched < IDLE_SEARCH_MS) return;
    const stale = await staleTournaments(pool, clock.now());
    const hasFailed = ({ id }: WindowTournament) => this.#failed.has(id);
    this.#stale = [...stale.filter((one) => !hasFailed(one)), ...stale.filter(hasFailed)];
    this.#cursor = cursor;
    this.#searched = performance.now();
    this.#searchAgain = begun + Math.max(SEARCH_MS, SEARCH_FACTOR * (this.#searched - begun));
  }

  async #release(): Promise<void> {
    if (performance.now() - this.#released < RELEASE_MS) return;
    await releaseCards(this.#deps.pool, this.#deps.clock.now());
    this.#released = performance.now();
  }

  async #refreshMatches(matches: readonly WindowMatch[], signal: AbortSignal): Promise<void> {
    const ids = matches.map(({ id }) => id);
    const found = await this.#paced(signal, () => findMatchSubjects(this.#deps.pool, ids));
    const order = new Map(ids.map((id, index) => [id, index]));
    const stale = found.filter(isStale).sort((a, b) => order.get(a.event_id)! - order.get(b.event_id)!);
    for (const batch of batches(stale, ({ season_id }) => season_id))
      await this.#store(
        signal,
        computeCards(this.#deps, batch, 'season'),
        ({ event_id: id }): CardKey => ({ kind: 'match', id, variant: 'season' }),
        true,
      );
  }

  async #refreshSides(ids: readonly number[], signal: AbortSignal, isKept: boolean): Promise<void> {
    if (ids.length === 0) return;
    const { pool, clock } = this.#deps;
    const now = clock.now();
    const last = RECENT.standard;
    const { variant } = sideKey(0, last, 'season');
    const found = await this.#paced(signal, () =>
      findParticipantSubjects(pool, ids, { day: formatDate(now / 1_000), variant }),
    );
    for (const batch of batches(found.filter(isStale), ({ newest }) => newest?.season_id))
      await this.#store(
        signal,
        computeSides(this.#deps, batch, { last, now }),
        ({ id }) => sideKey(id, last, 'season'),
        isKept,
      );
  }

  /** Refreshes the strongest trends, and the profiles that widgets show, for 913 days and for the season. */
  async #refreshLeague(id: number, signal: AbortSignal, isKept: boolean): Promise<void> {
    const { pool, clock } = this.#deps;
    const now = clock.now();
    const day = formatDate(now / 1_000);
    const refresh = async <F>(
      kind: 'league' | 'trends',
      season: number | undefined,
      compute: (stores: RefreshDeps, subject: TournamentSubject, season: number | undefined, now: number) => Promise<F>,
    ): Promise<F | undefined> => {
      const subject = await findTournamentSubject(pool, id, { day, kind, season });
      if (subject === null || !isStale(subject)) return undefined;
      const facts = await this.#paced(signal, () => compute(this.#deps, subject, season, now));
      const variant = tournamentVariant(season);
      await storeCards(pool, [{ kind, id, variant, version: subject.version, facts }], { isKept, now });
      return facts;
    };
    await refresh('league', undefined, computeProfile);
    const trends = await refresh('trends', undefined, computeLeagueTrends);
    if (trends?.season) await refresh('league', trends.season.id, computeProfile);
  }

  /**
   * Stores a batch when all of its cards have been computed.
   * @param isKept whether the job keeps the cards fresh from now on
   */
  async #store<S extends HistoryState>(
    signal: AbortSignal,
    computed: AsyncIterable<{ subject: S; facts: unknown }>,
    keyFor: (subject: S) => CardKey,
    isKept: boolean,
  ): Promise<void> {
    await this.#paced(signal, async () => {
      const now = this.#deps.clock.now();
      const cards: NewCard[] = [];
      for await (const { subject, facts } of computed) {
        cards.push({ ...keyFor(subject), version: subject.version, facts });
        // A card takes milliseconds to compute. Between two cards, the process can answer requests.
        await yieldToEventLoop();
        signal.throwIfAborted();
      }
      await storeCards(this.#deps.pool, cards, { isKept, now });
    });
  }

  /** Pauses after a piece of work for as long as the work took. */
  async #paced<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const result = await work();
    await sleep(PAUSE_FACTOR * (performance.now() - begun), undefined, { signal });
    return result;
  }
}
