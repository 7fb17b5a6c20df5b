import assert from 'node:assert/strict';
import { routes as feedRoutes } from '../../src/feed/routes.ts';
import { routes as matchRoutes } from '../../src/matches/routes.ts';
import { routes as streamRoutes } from '../../src/stream/routes.ts';
import { envelope } from '../../src/wire/envelope.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { rateMatch } from '../support/rates.ts';
import { type Service, startService } from '../support/service.ts';
import { openStream } from '../support/stream-client.ts';

const FEED_TOKEN = 'feed-token-of-the-tests';

describe('from the feed to the stream', () => {
  let service: Service;
  before(async () => {
    service = await startService({ routes: [...feedRoutes, ...matchRoutes, ...streamRoutes], env: { FEED_TOKEN } });
  });
  after(() => service.close());

  let observations = 0;
  const update = (match: Partial<MatchUpdateInput['match']>): MatchUpdateInput => ({
    schema: 1,
    kind: 'match',
    provider: 'live',
    observed_at: new Date(service.clock.now() + ++observations * 1_000).toISOString(),
    match: {
      id: 'm1',
      sport: 'football',
      tournament: { name: 'First League', country: 'INT' },
      season: { label: '2026' },
      home: { name: 'Home' },
      away: { name: 'Away' },
      scheduled_start: '2026-03-01T12:00:00Z',
      ...match,
    },
  });
  const feed = (...updates: MatchUpdateInput[]) =>
    service.app.ask<{ accepted: number }>('/feed/v1/updates', {
      method: 'POST',
      key: null,
      headers: { Authorization: `Bearer ${FEED_TOKEN}` },
      body: updates,
    });

  it('a goal reaches the stream as the event log stores it, and by then the card shows the goal', async () => {
    const stream = await openStream(`${service.app.url}/v1/stream?key=${service.app.key}&sport=football`);
    try {
      const goal = {
        id: 'g1',
        kind: 'goal',
        minute: 3,
        side: 'home' as const,
        player: { name: 'Striker' },
        payload: {},
      };
      const reply = await feed(
        update({}),
        update({ status: 'live', minute: 1, score: { home: 0, away: 0 } }),
        update({ status: 'live', minute: 3, score: { home: 1, away: 0 }, incidents: [goal] }),
      );
      assert.equal(reply.json.accepted, 3);
      await stream.until('match.goal');
      const frames = stream.frames().slice(1);
      assert.deepEqual(
        frames.map(({ event }) => event),
        ['match.created', 'match.started', 'match.goal'],
      );
      const envelopes = frames.map(({ data }) => envelope.parse(JSON.parse(data!)));
      assert.deepEqual(
        envelopes.map(({ data }) => data.sequence),
        [1, 2, 3],
      );
      const { match, incident } = envelopes[2]!.data;
      assert.deepEqual([match.home.score, match.away.score, incident?.player_name], [1, 0, 'Striker']);
      const card = await service.app.ask<{ participants: { score: number }[] }>(`/v1/event/${match.id}`);
      assert.deepEqual(
        card.json.participants.map(({ score }) => score),
        [1, 0],
      );
      const { rows } = await service.db.pool.query('SELECT envelope FROM event_log ORDER BY cursor');
      assert.deepEqual(
        rows.map((row) => row.envelope),
        frames.map(({ data }) => data),
      );
    } finally {
      stream.close();
    }
  });

  it('a goal frame has the win probability after the goal, which is also on the card', async () => {
    const sides = { id: 'm2', home: { name: 'Rated' }, away: { name: 'Other' } };
    await feed(update(sides));
    const { rows } = await service.db.pool.query("SELECT entity_id FROM external_ref WHERE external_id = 'm2'");
    const id: number = rows[0].entity_id;
    await rateMatch(service.db.pool, id, service.clock.now());
    const stream = await openStream(`${service.app.url}/v1/stream?key=${service.app.key}&sport=football`);
    try {
      const goal = { id: 'g1', kind: 'goal', minute: 80, side: 'away' as const, payload: {} };
      await feed(update({ ...sides, status: 'live', minute: 80, score: { home: 0, away: 1 }, incidents: [goal] }));
      await stream.until('match.goal');
      const frame = stream.frames().find(({ event }) => event === 'match.goal');
      const { win_probability } = envelope.parse(JSON.parse(frame!.data!)).data;
      assert.ok(win_probability!.awayWin > 75, JSON.stringify(win_probability));
      const card = await service.app.ask<{ win_probability: object }>(`/v1/event/${id}`);
      assert.deepEqual(card.json.win_probability, win_probability);
    } finally {
      stream.close();
    }
  });

  it('a feed update creates a change cursor for sync', async () => {
    for (let i = 0; i < 500; i += 1) {
      const { rows } = await service.db.pool.query(
        'SELECT (SELECT count(*) FROM match_touch)::int AS touches, (SELECT count(*) FROM match_change)::int AS stamps',
      );
      if (rows[0].touches === 0 && rows[0].stamps === 2) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.fail('the match is not stamped');
  });
});
