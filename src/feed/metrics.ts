/** Prometheus metrics for the feed: updates by provider, reasons for rejections, and how old updates are on arrival. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { type ApplyResult, begunProvidersSql, LEAD, observedAtSql } from '../apply/index.ts';
import type { Queryable } from '../db/postgres.ts';
import type { Clock } from '../runtime/clock.ts';
import { storeGauges } from '../runtime/store-gauge.ts';
import type { FeedUpdate } from '../wire/feed-update.ts';
import { DAY_MS } from '../wire/time.ts';

/**
 * Maximum number of providers that have their own series in one process. These are the providers in the precedence, and
 * after them the first ones with an accepted update. The rest are counted as OTHER, since anyone with the feed's token
 * can invent names.
 */
export const NAMED_PROVIDERS = 20;
const OTHER = 'other';
/** The bounds range from live data to a feed that is catching up. */
const AGE_BUCKETS_SECONDS = [0.5, 1, 2, 5, 10, 30, 60, 300, 3_600];

type Sent = Pick<FeedUpdate, 'provider' | 'observed_at'>;

export interface IngestMetrics {
  taken(update: Sent, outcome: 'accepted' | 'unchanged'): void;
  /** @param provider the update's provider field, of any type */
  rejected(provider: unknown, codes: readonly string[]): void;
  /** Counts the time spent on a batch. @param seconds from the first validation to the commit */
  worked(seconds: number): void;
}

interface MetricsDeps {
  registry: Registry;
  db: Queryable;
  clock: Clock;
  /** Providers in the precedence, which the service's operator has set. */
  listed: readonly string[];
  /** Providers whose sources are polled. They do not write over the feed. */
  polled: readonly string[];
}

/**
 * Counts live matches for each live provider that has reported the match's start. Matches from earlier days are left
 * out, since they do not show whether a provider is silent.
 */
const LIVE = `SELECT p.provider #>> '{}' AS name, count(*)::int AS value
  FROM match m, ${begunProvidersSql('m.provenance')} AS p (provider)
  WHERE m.status = 'live' AND m.scheduled_start > $1 GROUP BY 1`;
/** Bounds for the ages of live matches, in seconds. An objective may use only these bounds (docs/monitoring.md). */
export const AGES = [30, 60, 120, 300];
/**
 * Counts live matches by the time since the leading provider's last sign of life. The counts are cumulative, like
 * histogram buckets. Matches that no live provider reports are left out.
 */
const LIVE_AGES = `SELECT bound AS le, count(m.age) FILTER (WHERE bound IS NULL OR m.age <= bound * 1000)::int AS value
  FROM unnest(array_append($3::int[], NULL)) AS bound LEFT JOIN (
    SELECT $2::bigint - ${observedAtSql('provenance', LEAD)} AS age FROM match
    WHERE status = 'live' AND scheduled_start > $1 AND provenance ? 'lead'
  ) m ON true GROUP BY bound`;

export function createIngestMetrics({ registry, db, clock, listed, polled }: MetricsDeps): IngestMetrics {
  const registers = [registry];
  const named = new Set(listed.slice(0, NAMED_PROVIDERS));
  const updates = new Counter({
    name: 'touchline_ingest_updates_total',
    help: 'Feed updates by provider and outcome: accepted, unchanged or rejected.',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const rejections = new Counter({
    name: 'touchline_ingest_rejections_total',
    help: 'Rejected feed updates by error code; an update with several errors counts for each code.',
    labelNames: ['code'],
    registers,
  });
  const age = new Histogram({
    name: 'touchline_ingest_update_age_seconds',
    help: "Time from the provider's observation to the receipt of an update, by both clocks.",
    labelNames: ['provider'],
    buckets: AGE_BUCKETS_SECONDS,
    registers,
  });
  const last = new Gauge({
    name: 'touchline_ingest_last_update_timestamp_seconds',
    help: 'Time when this process last received an update from the provider and did not reject it.',
    labelNames: ['provider'],
    registers,
  });
  const work = new Counter({
    name: 'touchline_ingest_work_seconds_total',
    help: 'Working time on update batches, from validation to commit. The rate is the mean number of batches in work.',
    registers,
  });
  storeGauges({
    registry,
    name: 'touchline_ingest_live_matches',
    help: 'Live matches by the live provider that has reported the start; polled sources are not included.',
    label: 'provider',
    async read() {
      const { rows } = await db.query<{ name: string; value: number }>(LIVE, [new Date(clock.now() - DAY_MS)]);
      const counts = new Map<string, number>();
      for (const { name, value } of rows)
        if (!polled.includes(name)) counts.set(providerLabel(name), (counts.get(providerLabel(name)) ?? 0) + value);
      return counts;
    },
  });

  storeGauges({
    registry,
    name: 'touchline_ingest_live_match_ages',
    help: 'Live matches whose leading provider gave a sign of life at most le seconds ago; +Inf counts all.',
    label: 'le',
    async read() {
      const now = clock.now();
      const { rows } = await db.query<{ le: number | null; value: number }>(LIVE_AGES, [
        new Date(now - DAY_MS),
        now,
        AGES,
      ]);
      return new Map(rows.map(({ le, value }) => [le === null ? '+Inf' : String(le), value]));
    },
  });

  const providerLabel = (provider: string) => (named.has(provider) ? provider : OTHER);

  return {
    taken({ provider, observed_at }, outcome) {
      if (named.size < NAMED_PROVIDERS) named.add(provider);
      const label = providerLabel(provider);
      const now = clock.now();
      updates.inc({ provider: label, outcome });
      age.observe({ provider: label }, Math.max(0, now - Date.parse(observed_at)) / 1_000);
      last.set({ provider: label }, now / 1_000);
    },
    rejected(provider, codes) {
      updates.inc({ provider: typeof provider === 'string' ? providerLabel(provider) : OTHER, outcome: 'rejected' });
      for (const code of new Set(codes)) rejections.inc({ code });
    },
    worked: (seconds) => work.inc(seconds),
  };
}

/** Counts the results of updates that did not arrive as text. */
export function countResults(
  metrics: IngestMetrics,
  updates: readonly Sent[],
  results: readonly Pick<ApplyResult, 'outcome' | 'errors'>[],
): void {
  for (const [index, update] of updates.entries()) {
    const { outcome, errors = [] } = results[index] ?? {};
    if (outcome === 'accepted' || outcome === 'unchanged') metrics.taken(update, outcome);
    else if (outcome === 'rejected')
      metrics.rejected(
        update.provider,
        errors.map(({ code }) => code),
      );
  }
}
