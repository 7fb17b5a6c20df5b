/**
 * Serves the recordings in the repository as the source did, and polls them. Events and cards have to match what was
 * played.
 */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { transaction } from '../../src/db/postgres.ts';
import { Poller } from '../../src/polling/poller.ts';
import { readRecording } from '../../src/polling/recording.ts';
import { startReplayServer } from '../../src/polling/replay-server.ts';
import { provider as openligadb } from '../../src/providers/openligadb/provider.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';

const SHIPPED = new URL('../../data/recordings/', import.meta.url);

describe('a shipped recording, polled', function () {
  this.timeout(60_000);
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());

  it('ends a cup tie after a shoot-out, whose kicks do not count as goals', async () => {
    const { about, replies } = await readRecording(new URL('openligadb-cup-tie', SHIPPED).pathname);
    // The match is played at the current time, whatever that is.
    bench.now = Date.parse('2031-03-07T09:13:27Z');
    const clock = { now: () => bench.now };
    const server = await startReplayServer(replies, { speed: 1, moveTimes: true, port: 0, clock });
    const poller = new Poller(
      {
        apply: bench.deps,
        clock,
        logger: pino({ level: 'silent' }),
        metrics: {
          request: () => {},
          changed: () => {},
          notUnderstood: () => assert.fail('a value is not understood'),
        },
        url: server.url,
        dailyRequests: 5_000,
        transact: (work) => transaction(bench.db.pool, work),
      },
      openligadb,
      about.scopes,
    );
    const minutes = Math.ceil((replies.at(-1)!.at - replies[0]!.at) / 60_000) + 2;
    for (const end = bench.now + minutes * 60_000; bench.now < end; bench.now += 20_000)
      await poller.turn(new AbortController().signal);
    await server.close();
    const events = (await bench.events()).map(({ type, data }) => {
      const { home, away } = (data as unknown as { match: Record<'home' | 'away', { score: number | null }> }).match;
      return `${type} ${home.score}:${away.score}`;
    });
    assert.deepEqual(events, [
      'match.created 0:0',
      'match.goal 0:1',
      'match.goal 1:1',
      'match.period_started 2:1',
      'match.goal 2:1',
      'match.goal 2:2',
      'match.period_started 2:2',
      'match.finished 2:2',
    ]);
    const { rows } = await bench.db.pool.query<{ id: number }>('SELECT id FROM match');
    const card = await bench.card(rows[0]!.id);
    assert.equal(card.status_detail, 'after_penalties');
    assert.equal(card.round_name, 'Quarter-finals');
    assert.deepEqual(
      card.extra.period_scores.map(({ period, home, away }) => `${period} ${home}:${away}`),
      ['1H 0:1', '2H 1:0', 'ET 1:1', 'PEN 3:1'],
    );
  });
});
