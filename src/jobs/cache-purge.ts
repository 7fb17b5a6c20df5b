/**
 * Tells CACHE_PURGE_URL which pages have changed, as the tags that the pages have in Cache-Tag (docs/caching.md). Changes
 * are read from Postgres by change cursor, so they use no memory while the receiver is away, and none is skipped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import { z } from 'zod';
import type { Variables } from '../config/variable.ts';
import type { Queryable } from '../db/postgres.ts';
import { createGuard } from '../outbound/index.ts';
import { webhookVariables } from '../webhooks/config.ts';
import { openSender } from '../webhooks/destinations/index.ts';
import { MATCHES_TAG, matchTag, participantTag, SITE_TAG, tournamentTag } from '../wire/cache-tags.ts';
import { defineJob, type JobContext, jobLease, type LeadingJob } from './job.ts';

/** At most one batch is sent in this time. */
const EVERY_MS = 1_000;
/** Maximum number of tags in a batch, which is what Cloudflare accepts. */
const BATCH_TAGS = 100;
/** If more changes wait, everything is purged instead. They would fill about ten batches. */
const MAX_WAITING = 250;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

const variables = {
  cachePurgeUrl: {
    name: 'CACHE_PURGE_URL',
    schema: z.url({ protocol: /^https?$/ }).optional(),
    meaning:
      'receives the [tags of changed pages](caching.md#purging), for caches in front of a public site; must be a public address, or listed in `WEBHOOK_ALLOW`',
  },
  cachePurgeHeader: {
    name: 'CACHE_PURGE_HEADER',
    schema: z
      .string()
      .regex(
        /^[A-Za-z0-9-]{1,80}: *[\x21-\x7e][\x20-\x7e]{0,4000}$/,
        'must be a header, such as Authorization: Bearer …',
      )
      .optional(),
    meaning: 'a header with the secret for `CACHE_PURGE_URL`, such as `Authorization: Bearer …`',
  },
  webhookAllow: webhookVariables.webhookAllow,
} satisfies Variables;

interface Change {
  /** The newest assigned change cursor. */
  seq: number;
  /** Null without a change, like the ids. */
  change_cursor: number | null;
  match_id: number | null;
  tournament_id: number | null;
  /** Null for a deleted match. */
  home_id: number | null;
  away_id: number | null;
}

/** Returns one row for each change after the cursor, oldest first and one more than may wait; one row if there is none. */
async function readChanges(db: Queryable, after: number): Promise<Change[]> {
  const changes = (table: string) =>
    `(SELECT change_cursor, match_id, tournament_id FROM ${table} WHERE change_cursor > $1 ORDER BY change_cursor LIMIT $2)`;
  const { rows } = await db.query<Change>(
    `SELECT relay.change_seq AS seq, c.change_cursor, c.match_id, c.tournament_id, m.home_id, m.away_id
     FROM relay LEFT JOIN (${changes('match_change')} UNION ALL ${changes('match_tombstone')}
       ORDER BY change_cursor LIMIT $2) c ON true
     LEFT JOIN match m ON m.id = c.match_id ORDER BY c.change_cursor`,
    [after, MAX_WAITING + 1],
  );
  return rows;
}

function changedTags({ match_id, tournament_id, home_id, away_id }: Change): string[] {
  const sides = [home_id, away_id].filter((id) => id !== null);
  return [matchTag(match_id!), tournamentTag(tournament_id!), ...sides.map(participantTag)];
}

interface Batch {
  tags: ReadonlySet<string>;
  /** The change cursor up to which the pages are current once the batch has been accepted. */
  reached: number;
}

/**
 * Returns the next batch; null if nothing has changed.
 * @param after null if it is unknown which pages caches have kept
 */
async function nextBatch(db: Queryable, after: number | null): Promise<Batch | null> {
  const changes = await readChanges(db, after ?? Number.MAX_SAFE_INTEGER);
  const { seq } = changes[0]!;
  // After a restore from a backup, the service may assign the same cursors a second time.
  if (after === null || seq < after || changes.length > MAX_WAITING) return { tags: new Set([SITE_TAG]), reached: seq };
  if (changes[0]!.change_cursor === null) return null;
  const tags = new Set([MATCHES_TAG]);
  for (const [index, change] of changes.entries()) {
    const more = changedTags(change).filter((tag) => !tags.has(tag));
    if (tags.size + more.length > BATCH_TAGS) return { tags, reached: changes[index - 1]!.change_cursor! };
    for (const tag of more) tags.add(tag);
  }
  return { tags, reached: seq };
}

interface Receiver {
  url: URL;
  header: string | undefined;
  allow: readonly string[];
}

class CachePurge implements LeadingJob {
  readonly #db: Queryable;
  readonly #receiver: Receiver;
  readonly #sender: ReturnType<typeof openSender>;
  /** Null at first, because an earlier process may have left changes unsent. */
  #reached: number | null = null;
  #failures = 0;
  /** When the oldest unsent change was seen, in ms of performance.now(). Null if none waits. */
  #waitingSince: number | null = null;

  constructor(db: Queryable, receiver: Receiver) {
    this.#db = db;
    this.#receiver = receiver;
    this.#sender = openSender({ guard: createGuard({ allow: receiver.allow }) });
  }

  get lagSeconds(): number {
    return this.#waitingSince === null ? 0 : (performance.now() - this.#waitingSince) / 1_000;
  }

  async run(signal: AbortSignal) {
    if (this.#failures > 0) {
      const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#failures - 1));
      await sleep(wait, undefined, { signal });
    }
    const batch = await nextBatch(this.#db, this.#reached);
    if (batch === null) {
      this.#waitingSince = null;
      return { result: 'idle' as const };
    }
    this.#waitingSince ??= performance.now();
    await this.#send([...batch.tags], signal);
    this.#reached = batch.reached;
    return { result: 'done' as const };
  }

  end(): void {
    this.#sender.close();
  }

  /** @throws {Error} if the receiver does not accept the tags. The message has nothing secret. */
  async #send(tags: readonly string[], signal: AbortSignal): Promise<void> {
    const { url, header } = this.#receiver;
    const colon = header?.indexOf(':') ?? -1;
    const headers = {
      'Content-Type': 'application/json',
      'Surrogate-Key': tags.join(' '),
      ...(header !== undefined && { [header.slice(0, colon)]: header.slice(colon + 1).trim() }),
    };
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    const sending = this.#sender.send(url, headers, Buffer.from(JSON.stringify({ tags })), this.#failures + 1);
    const { failure } = await Promise.race([sending, aborted]);
    this.#failures = failure === null ? 0 : this.#failures + 1;
    if (failure !== null) throw new Error(failure);
  }
}

/** Adds the metric. @returns a function that sets the process's purge, null while the process does not send */
function measureLag(registry: JobContext['registry']): (purge: CachePurge | null) => void {
  let current: CachePurge | null = null;
  new Gauge({
    name: 'touchline_cache_purge_lag_seconds',
    help: 'Seconds for which changed pages have waited to be sent to CACHE_PURGE_URL. 0 if none waits, and in processes that do not send.',
    registers: [registry],
    collect() {
      this.set(current?.lagSeconds ?? 0);
    },
  });
  return (purge) => {
    current = purge;
  };
}

export const cachePurge = defineJob({
  name: 'cache_purge',
  summary: 'tells caches in front of the pages which pages have changed',
  variables,
  lease: jobLease('cache_purge'),
  schedule: { everyMs: EVERY_MS },
  retryMs: EVERY_MS,
  limitMs: 120_000,
  failed: 'CACHE_PURGE_URL does not accept which pages have changed, retrying',
  recovered: 'CACHE_PURGE_URL accepts which pages have changed again',
  open({ config, pool, registry }) {
    const setCurrent = measureLag(registry);
    const { cachePurgeUrl, cachePurgeHeader: header, webhookAllow: allow } = config;
    if (cachePurgeUrl === undefined) return null;
    const url = new URL(cachePurgeUrl);
    return () => {
      const purge = new CachePurge(pool, { url, header, allow });
      setCurrent(purge);
      return {
        run: (signal) => purge.run(signal),
        end() {
          purge.end();
          setCurrent(null);
        },
      };
    };
  },
});
