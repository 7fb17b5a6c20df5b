/**
 * Measures sync over HTTP with generated cards that resemble imported full cards. For comparison, the same run measures how fast Postgres
 * copies the same rows out. Also compares the time for the last pages with the time for the first ones. CARDS=50000. FILTERED=1 also pages
 * by sport and by tournament.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Running } from '../src/main.ts';
import { OPEN_PLANS } from './plans.ts';
import { median, printFigure, printRow, verdict } from './report.ts';

const CARDS = Number(process.env.CARDS ?? 50_000);
const PAGE = 500;
/** Number of rounds. COPY and sync take turns, so that background load on the machine affects both. */
const ROUNDS = 3;
/** Goals from the project's issue. */
const GOAL_MB_PER_S = 60;
const GOAL_MEDIAN_BYTES = 6_000;
const GOAL_SPREAD = 0.2;
/** Number of pages at the beginning and at the end whose times are compared. */
const END_PAGES = 20;
const TOURNAMENTS = 100;

interface Ready {
  url: string;
  key: string;
  databaseUrl: string;
  medianBytes: number;
}

const self = fileURLToPath(import.meta.url);

function startService(folder: string): Promise<{ process: ChildProcess; ready: Ready }> {
  return new Promise((resolve, reject) => {
    const started = fork(self, ['service'], {
      env: { ...process.env, BENCH_DATA: join(folder, 'data') },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    started.once('message', (ready) => resolve({ process: started, ready: ready as Ready }));
    started.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
}

// ---- the service, with the cards

/** Number of patterns for each kind of block. The rows are real, and each card combines the patterns in its own way. */
const PATTERNS = 997;
const name = (seed: string) =>
  `initcap(substr(md5((${seed})::text), 1, 1) || translate(substr(md5((${seed})::text), 2, 8), '0123456789', 'aeiouylrmn'))`;
const list = (row: string, count: string) =>
  `'[' || (SELECT string_agg(row_to_json(r)::text, ',') FROM generate_series(1, ${count}) n, LATERAL (SELECT ${row}) r) || ']'`;
const side = "CASE WHEN n % 2 = 0 THEN 'home' ELSE 'away' END AS side";
const BLOCKS = {
  incidents: list(
    `n AS id, n * 7 % 90 AS minute, NULL::int AS minute_plus, CASE WHEN n % 3 = 0 THEN '1H' ELSE '2H' END AS period,
     (ARRAY['goal', 'card', 'subst'])[1 + n % 3] AS kind, ${side}, ${name('(p * 7 + n)')} || ' ' || ${name('p - n')} AS player_name,
     p * 31 + n AS player_participant_id, ${name('p + n')} AS assist_name, NULL::bigint AS assist_participant_id,
     json_build_object('score', json_build_object('home', n % 4, 'away', n % 3)) AS payload`,
    '8 + p % 9',
  ),
  statistics: list(
    `CASE WHEN n % 3 = 0 THEN 'ALL' WHEN n % 3 = 1 THEN '1H' ELSE '2H' END AS period, 'Attack' AS group_name, 'Shots ' || n AS stat_name,
     (p * n) % 40 AS home_value, (p + n) % 30 AS away_value, ((p * n) % 40)::text AS home_text, ((p + n) % 30)::text AS away_text`,
    '12 + p % 7',
  ),
  lineups: list(
    `${side}, '4-4-2' AS formation, p * 41 + n AS player_participant_id, ${name('p * n')} || ' ' || ${name('n - p')} AS player_name,
     (ARRAY['G', 'D', 'M', 'F'])[1 + n % 4] AS position, n::text AS shirt_number, n > 22 AS is_substitute, json_build_object() AS stats`,
    'CASE WHEN p % 3 = 0 THEN 36 ELSE 22 END',
  ),
  odds: list(
    `'Full time' AS market_name, '1X2' AS market_group, n::text AS choice_name, '5/4' AS fractional_value, '11/8' AS opening_value,
     1 + (p % 90) / 10.0 AS decimal_value, 2.37 AS opening_decimal, ${name('n::text || 8')} AS bookmaker, NULL AS movement, n % 3 = 0 AS winning`,
    '3 + p % 3',
  ),
};

async function generate(pool: pg.Pool): Promise<void> {
  const { transaction } = await import('../src/db/postgres.ts');
  const { renderCards } = await import('../src/apply/write/render-cards.ts');
  await pool.query(
    `INSERT INTO tournament (sport, country, name, key) SELECT (ARRAY['football', 'football', 'football', 'handball'])[1 + n % 4], 'INT', 'League ' || n, 'league ' || n
     FROM generate_series(1, ${TOURNAMENTS}) n`,
  );
  await pool.query("INSERT INTO season (tournament_id, season_label) SELECT id, '2025/26' FROM tournament");
  await pool.query(
    `INSERT INTO participant (type, sport, name, name_ru, key) SELECT 'team', 'football', 'Team ' || n, CASE WHEN n % 2 = 0 THEN 'Команда ' || n END, 'team ' || n
     FROM generate_series(1, 2000) n`,
  );
  await pool.query(
    `INSERT INTO match (sport, tournament_id, season_id, home_id, away_id, scheduled_start, status, status_detail, round_num, home_score,
       away_score, period_scores, referee, attendance, finalized, detail_at, updated_at)
     SELECT t.sport, t.id, s.id, h.id, a.id, '2025-08-01'::timestamptz + n * interval '1 minute', 'finished', 'ended', n % 38, n % 4, n % 3,
       '[{"period":"1H","home":0,"away":0},{"period":"2H","home":1,"away":1}]', ${name('n::text || 1')}, n % 60000, true, now(), now()
     FROM generate_series(1, $1::int) n JOIN tournament t ON t.key = 'league ' || (1 + n % ${TOURNAMENTS}) JOIN season s ON s.tournament_id = t.id
     JOIN participant h ON h.key = 'team ' || (1 + n % 1000) JOIN participant a ON a.key = 'team ' || (1001 + n / 7 % 1000) ORDER BY n`,
    [CARDS],
  );
  for (const [index, [block, json]] of Object.entries(BLOCKS).entries()) {
    await pool.query(
      `WITH pattern AS MATERIALIZED (SELECT p, ${json} AS json FROM generate_series(0, ${PATTERNS - 1}) p)
       INSERT INTO match_block (match_id, block, json, source)
       SELECT m.id, $1, pattern.json, CASE WHEN $1 = 'lineups' THEN '{"order":"shown"}'::jsonb END FROM match m JOIN pattern ON p = m.id * $2 % ${PATTERNS}
       WHERE $1 <> 'lineups' OR m.id % 5 < 2`,
      [block, 11 + 2 * index],
    );
  }
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM match ORDER BY id');
  const ids = rows.map((row) => row.id);
  for (let from = 0; from < ids.length; from += 5_000)
    await transaction(pool, (client) => renderCards(client, ids.slice(from, from + 5_000)));
  await pool.query('INSERT INTO match_touch (match_id) SELECT id FROM match ORDER BY id');
}

async function service(): Promise<void> {
  const [{ pino }, { readRoleConfig, serve }] = await Promise.all([import('pino'), import('../src/main.ts')]);
  const config = await readRoleConfig(
    { PLANS: OPEN_PLANS, DATA_DIR: process.env.BENCH_DATA!, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'warn' },
    'all',
  );
  const running = await serve(config, pino({ level: 'warn' }, pino.destination(2)), { role: 'all' });
  process.on('message', async () => {
    await running.stop();
    process.exit(0);
  });
  try {
    process.send!(await prepare(running));
  } catch (error) {
    await running.stop();
    throw error;
  }
}

async function prepare({ address, deps: { pool, config, clock } }: Running): Promise<Ready> {
  const { createKey } = await import('../test/support/accounts.ts');
  await generate(pool);
  const stamped = async () => {
    const { rows } = await pool.query<{ count: number }>('SELECT count(*) FROM match_change');
    return rows[0]!.count === CARDS;
  };
  while (!(await stamped())) await new Promise((resolve) => setTimeout(resolve, 100));
  await pool.query('VACUUM ANALYZE');
  await pool.query('CHECKPOINT');
  const { rows } = await pool.query<{ median: number }>(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY octet_length(c.item) + octet_length(c.detail)
       + (SELECT sum(octet_length(json)) FROM match_block b WHERE b.match_id = c.match_id)) AS median FROM match_card c`,
  );
  const { key } = await createKey(pool, clock, { email: 'bench@touchline.invalid', plan: 'business' });
  const { databaseUrl } = config as { databaseUrl: string };
  return { url: address!, key, databaseUrl, medianBytes: rows[0]!.median };
}

// ---- the client

interface Pass {
  bytes: number;
  matches: number;
  ms: number;
  /** Milliseconds that each full page took. */
  pageMs: number[];
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function fetchPage(url: string, key: string): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    get(url, { agent, headers: { 'X-API-Key': key } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () => {
        if (response.statusCode === 200) resolve(chunks);
        else reject(new Error(`${url}: ${response.statusCode} ${Buffer.concat(chunks)}`));
      });
    }).once('error', reject);
  });
}

/** Matches the members after the cards. The cards are not parsed, so that the client does not limit the rate. */
const TAIL = /"next_cursor":"([^"]+)","has_more":(true|false),"stream_cursor":\d+\}$/;

async function syncAll({ url, key }: Ready, filter = ''): Promise<Pass> {
  const pass: Pass = { bytes: 0, matches: 0, ms: 0, pageMs: [] };
  const begun = performance.now();
  for (let cursor = '', more = true; more; ) {
    const start = performance.now();
    const chunks = await fetchPage(`${url}/v1/sync?limit=${PAGE}${filter}${cursor}`, key);
    const tail = Buffer.concat(chunks.slice(-2)).toString('latin1');
    const [, next, has] = TAIL.exec(tail) ?? [];
    if (next === undefined) throw new Error(`no cursor in ${tail.slice(-200)}`);
    const count = Number(/^\{"count":(\d+)/.exec(chunks[0]!.toString('latin1', 0, 30))![1]);
    if (count === PAGE) pass.pageMs.push(performance.now() - start);
    pass.bytes += chunks.reduce((sum, chunk) => sum + chunk.length, 0);
    pass.matches += count;
    cursor = `&cursor=${next}`;
    more = has === 'true';
  }
  pass.ms = performance.now() - begun;
  return pass;
}

async function copyAll(pool: pg.Pool): Promise<{ bytes: number; ms: number }> {
  const { to } = await import('pg-copy-streams');
  const client = await pool.connect();
  const begun = performance.now();
  let bytes = 0;
  for (const columns of ['match_card (item, detail)', 'match_block (block, json)'])
    for await (const chunk of client.query(to(`COPY ${columns} TO STDOUT`))) bytes += (chunk as Buffer).length;
  client.release();
  return { bytes, ms: performance.now() - begun };
}

const rate = ({ bytes, ms }: { bytes: number; ms: number }) => bytes / 1e6 / (ms / 1e3);

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'touchline-bench-'));
  chmodSync(folder, 0o755);
  console.log(`generating ${CARDS} cards`);
  const { process: started, ready } = await startService(folder).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const { default: driver } = await import('pg');
  const pool = new driver.Pool({ connectionString: ready.databaseUrl, max: 1 });
  try {
    await checkShape(ready);
    const passes: Pass[] = [];
    const copies: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      copies.push(rate(await copyAll(pool)));
      const pass = await syncAll(ready);
      if (pass.matches !== CARDS) throw new Error(`${pass.matches} of ${CARDS} matches`);
      passes.push(pass);
    }
    const rates = passes.map(rate);
    const reached = median(rates);
    const ends = (from: number, to?: number) => median(passes.flatMap(({ pageMs }) => pageMs.slice(from, to)));
    const [first, last] = [ends(0, END_PAGES), ends(-END_PAGES)];
    const copied = median(copies);
    printFigure(
      'sync, end to end',
      { value: reached, goal: GOAL_MB_PER_S, unit: ' MB/s', isRate: true },
      `COPY ${copied.toFixed(0)} MB/s; ${CARDS} cards, median ${ready.medianBytes} bytes (goal ${GOAL_MEDIAN_BYTES}: ${verdict(ready.medianBytes >= GOAL_MEDIAN_BYTES)})`,
    );
    printRow({
      path: 'sync, last pages',
      ours: `${last.toFixed(1)} ms`,
      bound: `first pages ${first.toFixed(1)} ms`,
      ratio: last / first,
      goal: 1 + GOAL_SPREAD,
    });
    if (process.env.FILTERED) await filtered(ready, pool);
  } finally {
    await pool.end();
    started.removeAllListeners('exit');
    const ended = new Promise((resolve) => started.once('exit', resolve));
    started.send('stop');
    await ended;
    agent.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Checks one page against the strict schema, so that the measured bytes are known to be valid. */
async function checkShape({ url, key }: Ready): Promise<void> {
  const { matchDetail } = await import('../src/wire/match.ts');
  const page = JSON.parse(Buffer.concat(await fetchPage(`${url}/v1/sync?limit=20`, key)).toString('utf8'));
  for (const card of page.events) matchDetail.parse(card);
}

async function filtered(ready: Ready, pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM tournament ORDER BY id LIMIT 1');
  for (const filter of ['&sport=handball', `&tournament=${rows[0]!.id}`]) {
    const pass = await syncAll(ready, filter);
    console.log(
      `${filter.slice(1).padEnd(18)} ${pass.matches} matches in ${pass.ms.toFixed(0)} ms, ${rate(pass).toFixed(0)} MB/s`,
    );
  }
}

await (process.argv[2] === 'service' ? service() : main());
