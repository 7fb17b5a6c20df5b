/**
 * Measures how many live updates per second the feed's endpoint accepts, and whether the relay keeps up. Each update has one block of a
 * large card.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { applyUpdates } from '../../src/apply/apply.ts';
import { sampleUpdates } from '../../src/demo/invented-league.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { feedUpdate, type MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { CLIENT_CORE, startChild } from '../child.ts';
import { line, printFigure, verdict } from '../report.ts';
import type { FeederApi } from './feeder.ts';
import { openStage, type Stage } from './stage.ts';

const MATCHES = 400;
/** Number of updates before the measurement, while code is still being compiled. */
const WARM_UP_UPDATES = 12_000;
const UPDATES = Number(process.env.UPDATES ?? 12_000);
const CONNECTIONS = 16;
/** Goals from the project's issue. */
const GOAL_PER_SECOND = 1_800;
const GOAL_CPU_MS = 0.45;
const CARD_BYTES = 40_000;
/** The relay must have moved and stamped all rows by this time after the last update was answered. */
const GOAL_CATCH_UP_MS = 1_000;
const LOOK_EVERY_MS = 100;

type Match = MatchUpdateInput['match'];

/** Returns live matches whose blocks are as large as the largest in the sample. */
async function liveMatches(): Promise<Match[]> {
  const given = (await sampleUpdates(Date.now())).filter((update) => update.kind === 'match').map(({ match }) => match);
  const pattern = given.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));
  const { venue: _venue, finalized: _finalized, ...rest } = pattern;
  const comments = rest.commentary!;
  const fixture = {
    ...rest,
    status: 'live' as const,
    status_detail: 'in_play' as const,
    scheduled_start: new Date().toISOString(),
    commentary: [...comments, ...comments.map((comment) => ({ ...comment, minute: 91 }))],
  };
  return Array.from({ length: MATCHES }, (_, n) => ({
    ...fixture,
    id: `live ${n}`,
    tournament: { id: `league ${n % 20}`, name: `League ${n % 20}`, country: 'INT' },
    home: { id: `home ${n}`, name: `Home ${n}`, country: 'INT' },
    away: { id: `away ${n}`, name: `Away ${n}`, country: 'INT' },
  }));
}
const sizeOf = (match: Match) => JSON.stringify(match).length;

async function load({ stores: { pool } }: Stage, matches: readonly Match[]): Promise<number> {
  const observed_at = new Date(Date.now() - 60_000).toISOString();
  const results = await applyUpdates(
    { pool, clock: systemClock, changes: { publish: () => {} }, entities: new EntityCache() },
    matches.map((match) => feedUpdate.parse({ schema: 1, kind: 'match', provider: 'live', observed_at, match })),
    { events: false },
  );
  const bad = results.find(({ outcome }) => outcome !== 'accepted');
  if (bad !== undefined) throw new Error(JSON.stringify(bad));
  await pool.query('VACUUM ANALYZE');
  const { rows } = await pool.query<{ median: number }>(
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY octet_length(c.item) + octet_length(c.detail)
       + (SELECT sum(octet_length(json)) FROM match_block b WHERE b.match_id = c.match_id)) AS median FROM match_card c`,
  );
  return rows[0]!.median;
}

interface Backlog {
  events: number;
  touches: number;
}

async function backlog({ stores: { pool } }: Stage): Promise<Backlog> {
  const { rows } = await pool.query<Backlog>(
    'SELECT (SELECT count(*) FROM outbox) AS events, (SELECT count(*) FROM match_touch) AS touches',
  );
  return rows[0]!;
}

export async function ingest(): Promise<void> {
  const stage = await openStage();
  const feeder = startChild<FeederApi>('stream/feeder.ts', CLIENT_CORE);
  try {
    const matches = await liveMatches();
    const median = await load(stage, matches);
    const service = await stage.startService();
    await feeder.call('matches', matches);
    const feeding = {
      url: `http://127.0.0.1:${await service.call('port')}`,
      token: stage.env.FEED_TOKEN!,
      connections: CONNECTIONS,
    };
    await feeder.call('feed', { ...feeding, updates: WARM_UP_UPDATES });
    const before = await service.call('usage');
    let most: Backlog = { events: 0, touches: 0 };
    const feed = feeder.call('feed', { ...feeding, updates: UPDATES });
    const finished = feed.then(() => true);
    while (!(await Promise.race([finished, sleep(LOOK_EVERY_MS, false)]))) {
      const { events, touches } = await backlog(stage);
      most = { events: Math.max(most.events, events), touches: Math.max(most.touches, touches) };
    }
    const { ms, tally, loopBusy } = await feed;
    const done = performance.now();
    for (let left = await backlog(stage); left.events + left.touches > 0; left = await backlog(stage)) await sleep(10);
    const behind = performance.now() - done;
    const after = await service.call('usage');
    if (tally.accepted !== UPDATES) throw new Error(JSON.stringify(tally).slice(0, 500));
    const rate = UPDATES / (ms / 1_000);
    const cpuMs = (after.cpuUs - before.cpuUs) / UPDATES / 1_000;
    printFigure('ingest, updates a second', { value: rate, goal: GOAL_PER_SECOND, unit: '/s', isRate: true });
    printFigure('ingest, CPU of an update', { value: cpuMs, goal: GOAL_CPU_MS, unit: ' ms', digits: 2 });
    line(
      '',
      `cards of ${(median / 1_000).toFixed(0)} KB (${verdict(median >= CARD_BYTES)})`,
      `relay behind at most ${most.events} events and ${most.touches} changes, caught up after ${behind.toFixed(0)} ms`,
      `goal ${GOAL_CATCH_UP_MS} ms ${verdict(behind <= GOAL_CATCH_UP_MS)}`,
      `loop of the service ${(after.loopBusy * 100).toFixed(0)} % busy, of the feeder ${(loopBusy * 100).toFixed(0)} %`,
    );
  } finally {
    await feeder.kill();
    await stage.close();
  }
}
