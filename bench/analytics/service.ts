/**
 * Runs the service on a generated history in a process of its own. The process also measures the alternatives with which the service is
 * compared.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { readSamples } from '../../src/analytics/cards/history-queries.ts';
import { readConfig } from '../../src/config/config.ts';
import type { ClickHouse } from '../../src/db/clickhouse.ts';
import { requestCopy } from '../../src/db/loader-copy.ts';
import { prepared } from '../../src/db/postgres.ts';
import { openStores } from '../../src/db/stores.ts';
import { type Running, readRoleConfig, serve } from '../../src/main.ts';
import { createSetClock } from '../../src/runtime/clock.ts';
import { createKey } from '../../test/support/accounts.ts';
import { OPEN_PLANS } from '../plans.ts';
import { generateHistory, NOW } from './generate.ts';

export interface Ready {
  url: string;
  key: string;
  feedToken: string;
  /** Ids for the requests: matches in the last three seasons, their sides, and seasons with their tournaments. */
  matches: number[];
  sides: number[];
  seasons: { id: number; tournament_id: number }[];
  /** Matches in the next few days. The first one is in a league's next complete round. */
  fixtures: Fixture[];
  loadSeconds: number;
}

export interface Fixture {
  id: number;
  round: number;
  /** Names of the tournament and the sides. */
  tournament: string;
  home: string;
  away: string;
  /** Start as an ISO time. */
  start: string;
}

/** Rows per insert when the same rows are inserted into ClickHouse without the service. */
const BARE_ROWS = 5_000;
const POLL_MS = 100;
const until = async (isDone: () => Promise<boolean>, pollMs = POLL_MS) => {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, pollMs));
};
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

export async function runService(): Promise<void> {
  const dataDir = process.env.BENCH_DATA!;
  const matches = Number(process.env.BENCH_MATCHES);
  const logger = pino({ level: 'warn' }, pino.destination(2));
  const clock = createSetClock(NOW);
  const env = { PLANS: OPEN_PLANS, DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'warn' };
  const marker = join(dataDir, 'generated');
  if (!existsSync(marker)) {
    const stores = await openStores(readConfig(env), logger);
    await generateHistory(stores.pool, matches);
    await stores.close();
    writeFileSync(marker, '');
  }
  const running = await serve(await readRoleConfig(env, 'all'), logger, { role: 'all', clock });
  const { pool, config } = running.deps;
  const clickhouse = clickhouseOf(running);
  const loaded = () => isTrue(pool, 'loaded_cursor >= relay.change_seq');
  const loadMs = await timed(() => until(loaded));
  const { key } = await createKey(pool, clock, { email: 'bench@touchline.invalid', plan: 'business' });
  const ids = async (sql: string) => (await pool.query<{ id: number }>(sql)).rows.map(({ id }) => id);
  const fixtures = await nextMatches(pool);
  process.on('message', async (message: { ask: keyof typeof tasks | 'stop' }) => {
    if (message.ask === 'stop') {
      await running.stop();
      process.exit(0);
    }
    process.send!({ answer: await tasks[message.ask]() });
  });
  const tasks = {
    rebuild: () => rebuild(pool, clickhouse, matches),
    whole: () => wholeHistory(pool, clickhouse),
    card: () => cardFigures(pool, clickhouse),
    warm: () => warmUp(pool),
    fresh: () => untilFresh(pool, fixtures[0]!),
    memory: async () => ({ rss: process.memoryUsage().rss }),
  };
  process.send!({
    url: running.address!,
    key,
    feedToken: config.feedToken!,
    matches: await ids(
      `SELECT id FROM match WHERE scheduled_start BETWEEN '2022-07-01' AND '2025-07-01' ORDER BY hashint8(id) LIMIT 5000`,
    ),
    sides: await ids("SELECT id FROM participant WHERE key LIKE 'team %' ORDER BY hashint8(id) LIMIT 1000"),
    seasons: (await pool.query('SELECT id, tournament_id FROM season ORDER BY hashint8(id) LIMIT 2000')).rows,
    fixtures,
    loadSeconds: loadMs / 1_000,
  } satisfies Ready);
}

/** Returns matches in the next few days in a fixed order that looks random. The first one is in a league's next complete round. */
async function nextMatches(pool: pg.Pool): Promise<Fixture[]> {
  const { rows } = await pool.query<Fixture>(
    `SELECT m.id, m.round_num AS round, t.name AS tournament, h.name AS home, a.name AS away,
       to_char(m.scheduled_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS start
     FROM match m JOIN tournament t ON t.id = m.tournament_id JOIN participant h ON h.id = m.home_id JOIN participant a ON a.id = m.away_id
     WHERE m.scheduled_start > $1 AND m.scheduled_start < $2
     ORDER BY m.round_num <> (SELECT min(n.round_num) + 1 FROM match n WHERE n.scheduled_start > $1 AND n.scheduled_start < $2), hashint8(m.id)`,
    [new Date(NOW), new Date(NOW + 13 * 86_400_000)],
  );
  return rows;
}

/** Waits until the job has computed all the cards that it keeps up to date. */
async function warmUp(pool: pg.Pool) {
  const isWarm = 'count(*) > 0 AND bool_and(fingerprint IS NOT NULL AND stale_since IS NULL)';
  const ms = await timed(() => until(() => isTrue(pool, isWarm, 'analytics_window')));
  const { rows } = await pool.query<{ cards: number }>('SELECT count(*)::int AS cards FROM analytics_card WHERE kept');
  return { seconds: ms / 1_000, cards: rows[0]!.cards };
}

const FRESH_MS = 20;

/** Waits until the cards of a league's next matches have been computed from the newest results. */
async function untilFresh(pool: pg.Pool, { tournament }: Fixture) {
  const cards = `analytics_card c JOIN match m ON m.id = c.subject_id JOIN tournament t ON t.id = m.tournament_id
     CROSS JOIN LATERAL (SELECT max(x.change_cursor) AS newest FROM match_change x JOIN match f ON f.id = x.match_id
       WHERE x.tournament_id = t.id AND f.status = 'finished') x
     WHERE c.kind = 'match' AND c.kept AND t.name = '${tournament}' AND m.status = 'scheduled'`;
  const isFresh = "count(*) > 0 AND bool_and(split_part(c.version, '.', 5)::bigint = x.newest)";
  await until(() => isTrue(pool, isFresh, cards), FRESH_MS);
  return { cards: (await pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${cards}`)).rows[0]!.n };
}

/**
 * Returns the service's ClickHouse connection. Only one process may use the embedded engine, so all measurements have to share the
 * connection.
 */
const clickhouseOf = ({ provides }: Running) => (provides.loader as { clickhouse: ClickHouse }).clickhouse;

async function isTrue(pool: pg.Pool, condition: string, from = 'analytics_loader, relay'): Promise<boolean> {
  const { rows } = await pool.query<{ holds: boolean }>(`SELECT ${condition} AS holds FROM ${from}`);
  return rows[0]!.holds;
}

/** Measures a rebuild, and a plain insert of the same rows, in matches per second. */
async function rebuild(pool: pg.Pool, clickhouse: ClickHouse, matches: number) {
  const rebuildMs = await timed(async () => {
    const era = await requestCopy(pool, 'rebuild');
    await until(() => isTrue(pool, `era >= ${era}`));
  });
  const [{ era }] = (await pool.query<{ era: number }>('SELECT era FROM analytics_loader')).rows as [{ era: number }];
  let bareMs = 0;
  let inserted = 0;
  const sample = Math.min(matches, 200_000);
  for (let from = 0; from < sample; from += BARE_ROWS) {
    const rows = await clickhouse.query<{ line: string }>(
      `SELECT concat(formatRow('TabSeparated', toUInt32(999999), * EXCEPT era)) AS line FROM played_match FINAL
       WHERE era = {era: UInt32} AND match_id > {from: UInt64} AND match_id <= {to: UInt64}`,
      { era, from, to: from + BARE_ROWS },
    );
    const lines = rows.map(({ line }) => line).join('');
    bareMs += await timed(() => clickhouse.insert('played_match', lines));
    inserted += rows.length;
  }
  await clickhouse.command('ALTER TABLE played_match DROP PARTITION 999999');
  await clickhouse.command('ALTER TABLE side_match DROP PARTITION 999999');
  return { rebuilt: (matches / rebuildMs) * 1_000, bare: (inserted / bareMs) * 1_000 };
}

const REPEATS = 5;

/** Measures how long the profiles of all leagues take, in ms. They are an aggregate over all matches. */
async function wholeHistory(pool: pg.Pool, clickhouse: ClickHouse) {
  const [{ era }] = (await pool.query<{ era: number }>('SELECT era FROM analytics_loader')).rows as [{ era: number }];
  const ours: number[] = [];
  const postgres: number[] = [];
  for (let round = 0; round < REPEATS; round += 1) {
    ours.push(
      await timed(() =>
        clickhouse.query(
          `SELECT count(), avg(home_score), avg(away_score), countIf(winner = 'home'), countIf(home_score + away_score > 2)
           FROM played_match WHERE era = {era: UInt32} AND deleted = 0`,
          { era },
        ),
      ),
    );
    postgres.push(
      await timed(() =>
        pool.query(
          `SELECT count(*), avg(home_score), avg(away_score), count(*) FILTER (WHERE home_score > away_score),
             count(*) FILTER (WHERE home_score + away_score > 2)
           FROM match WHERE status = 'finished' AND home_score IS NOT NULL AND away_score IS NOT NULL`,
        ),
      ),
    );
  }
  return { ours: median(ours), postgres: median(postgres) };
}

const CARDS = 200;

interface Sample {
  id: number;
  day: number;
  tournament_id: number;
  season_id: number;
  home_id: number;
  away_id: number;
}

/**
 * Measures a card's queries alternately in ClickHouse and in Postgres, with the best statements for the same figures. Returns the medians
 * in ms.
 */
async function cardFigures(pool: pg.Pool, clickhouse: ClickHouse) {
  const { rows } = await pool.query<Sample>(
    `SELECT id, floor(extract(epoch FROM scheduled_start) / 86400)::int AS day, tournament_id, season_id, home_id, away_id
     FROM match WHERE scheduled_start > '2022-07-01' ORDER BY hashint8(id + 1) LIMIT ${CARDS}`,
  );
  const [{ era }] = (await pool.query<{ era: number }>('SELECT era FROM analytics_loader')).rows as [{ era: number }];
  const ours: number[] = [];
  const postgres: number[] = [];
  for (const match of rows) {
    const { day: before, tournament_id, season_id, home_id: home, away_id: away } = match;
    ours.push(
      await timed(() =>
        readSamples(clickhouse, {
          era,
          tournament: tournament_id,
          sides: [home, away],
          sample: { kind: 'season', tournament_id, season_id },
          pairs: [[home, away]],
          league: { from: before - 913, before },
          before,
        }),
      ),
    );
    postgres.push(
      await timed(() =>
        Promise.all([pool.query(PAIR([home, away, season_id, before])), pool.query(LEAGUE([tournament_id, before]))]),
      ),
    );
  }
  return { ours: median(ours), postgres: median(postgres) };
}

const START = (day: string) => `to_timestamp(${day} * 86400)`;
const FINISHED = `m.status = 'finished' AND m.home_score IS NOT NULL AND m.away_score IS NOT NULL AND m.status_detail NOT IN ('abandoned', 'cancelled')`;
const PAIR = prepared(
  'bench pair',
  `SELECT m.id, m.scheduled_start, m.home_id, m.away_id, m.home_score, m.away_score, match_winner(m.home_score, m.away_score, m.period_scores)
   FROM match m WHERE (m.home_id IN ($1, $2) OR m.away_id IN ($1, $2)) AND m.scheduled_start < ${START('$4')} AND ${FINISHED}
     AND (m.season_id = $3 OR (m.home_id = $1 AND m.away_id = $2) OR (m.home_id = $2 AND m.away_id = $1))`,
);
const LEAGUE = prepared(
  'bench league',
  `SELECT count(*), sum(home_score), sum(away_score), count(*) FILTER (WHERE home_score > away_score), count(*) FILTER (WHERE home_score = away_score),
     count(*) FILTER (WHERE home_score + away_score > 1), count(*) FILTER (WHERE home_score + away_score > 2), count(*) FILTER (WHERE home_score > 0 AND away_score > 0)
   FROM match m WHERE tournament_id = $1 AND scheduled_start < ${START('$2')} AND scheduled_start >= ${START('($2 - 913)')} AND ${FINISHED}`,
);
