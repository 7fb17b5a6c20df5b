/**
 * Keeps the search data except names up to date: aliases from the lists, and prominence. Runs in one process, after an
 * import and once a day. A match in progress changes little here, so when no import is running, a change may wait a quarter
 * of an hour.
 */
import type pg from 'pg';
import { createLease, leaseHolder } from '../../db/lease.ts';
import { firstRow, type PoolAndClock, type Queryable } from '../../db/postgres.ts';
import type { Clock } from '../../runtime/clock.ts';
import { DAY_MS } from '../../wire/time.ts';
import { aliasLists, aliasListsDigest } from './alias-lists.ts';
import { storeProminence } from './prominence.ts';
import { type AppliedLists, applyAliasLists } from './store-aliases.ts';

export const searchLease = createLease('search_refresh');

/** After this time without a change, an import has ended. */
const QUIET_MS = 5_000;
/** Maximum time that new entities wait for the refresh while changes continue. */
const LONGEST_WAIT_MS = 300_000;
/** How long changes to matches alone wait for the refresh. */
const MATCHES_WAIT_MS = 900_000;
const BOUNDED = ["SET LOCAL statement_timeout = '50s'"];

/** The state of the catalogue, and of search. */
interface State {
  refreshedAt: Date;
  lists: string;
  cursor: number;
  participants: number;
  tournaments: number;
  last: { cursor: number; participants: number; tournaments: number };
}

async function readState(db: Queryable): Promise<State> {
  const { rows } = await db.query<State>(
    `SELECT CASE WHEN isfinite(refreshed_at) THEN refreshed_at ELSE 'epoch' END AS "refreshedAt", lists, change_cursor AS cursor,
       last_participant AS participants, last_tournament AS tournaments,
       json_build_object('cursor', change_seq, 'participants', coalesce((SELECT max(id) FROM participant), 0),
         'tournaments', coalesce((SELECT max(id) FROM tournament), 0)) AS last
     FROM search_refresh, relay`,
  );
  return firstRow(rows);
}

const hasNewEntities = ({ participants, tournaments, last }: State) =>
  participants !== last.participants || tournaments !== last.tournaments;

const NOTHING: AppliedLists = { changed: 0, listedPlayers: [], unknown: [] };

/**
 * Applies the lists and computes prominence.
 * @returns list lines whose entity is not in the catalogue; none if the catalogue is empty
 */
async function refresh(client: pg.PoolClient, now: Date, { last }: State): Promise<string[]> {
  // The lists are not even read if the catalogue is empty.
  const isEmpty = last.participants === 0 && last.tournaments === 0;
  const { changed, listedPlayers, unknown } = isEmpty ? NOTHING : await applyAliasLists(client, aliasLists());
  const { tournaments } = await storeProminence(client, now, listedPlayers);
  await client.query(
    `UPDATE search_refresh SET refreshed_at = $1, lists = $2, change_cursor = $3, last_participant = $4, last_tournament = $5,
       revision = revision + $6`,
    [now, aliasListsDigest(), last.cursor, last.participants, last.tournaments, changed + tournaments > 0 ? 1 : 0],
  );
  return unknown;
}

/**
 * Refreshes search at once, for a command. Does nothing if a running service does the refreshing.
 * @returns list lines whose entity is not in the catalogue; null if a service has the lease
 */
export async function refreshSearch(pool: pg.Pool, clock: Clock): Promise<string[] | null> {
  const generation = await searchLease.take(pool, leaseHolder());
  if (generation === null) return null;
  try {
    const now = new Date(clock.now());
    return await searchLease.transaction(
      pool,
      generation,
      async (client) => refresh(client, now, await readState(client)),
      BOUNDED,
    );
  } finally {
    await searchLease.release(pool, generation).catch(() => {});
  }
}

/** Decides when to refresh search. */
export class SearchRefresh {
  readonly #deps: PoolAndClock;
  readonly #generation: number;
  readonly #monotonic: () => number;
  /** The state at the last check, when that state was first seen, and since when new entities have been waiting. */
  #seen = '';
  #seenAt: number;
  #waitingSince: number | null = null;

  /**
   * @param generation lease generation
   * @param monotonic clock in milliseconds
   */
  constructor(deps: PoolAndClock, generation: number, monotonic = () => performance.now()) {
    this.#deps = deps;
    this.#generation = generation;
    this.#monotonic = monotonic;
    this.#seenAt = monotonic();
  }

  /** Runs one transaction, which renews the lease. @returns true if it has refreshed search @throws {LeaseLost} */
  look(): Promise<boolean> {
    const { pool, clock } = this.#deps;
    const now = new Date(clock.now());
    return searchLease.transaction(
      pool,
      this.#generation,
      async (client) => {
        const state = await readState(client);
        if (!this.#isDue(state, now)) return false;
        await refresh(client, now, state);
        this.#waitingSince = null;
        return true;
      },
      BOUNDED,
    );
  }

  #isDue(state: State, now: Date): boolean {
    const at = this.#monotonic();
    const seen = JSON.stringify(state.last);
    if (seen !== this.#seen) [this.#seen, this.#seenAt] = [seen, at];
    const sinceRefresh = now.getTime() - state.refreshedAt.getTime();
    // A last refresh in the future means that the clock has been set back, or the database restored from a backup.
    if (state.lists !== aliasListsDigest() || sinceRefresh >= DAY_MS || sinceRefresh < 0) return true;
    const isQuiet = at - this.#seenAt >= QUIET_MS;
    if (hasNewEntities(state)) {
      this.#waitingSince ??= at;
      return isQuiet || at - this.#waitingSince >= LONGEST_WAIT_MS;
    }
    return state.cursor !== state.last.cursor && sinceRefresh >= MATCHES_WAIT_MS;
  }
}
