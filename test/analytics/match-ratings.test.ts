import assert from 'node:assert/strict';
import { findMatchSubject } from '../../src/analytics/cards/subjects.ts';
import { marginFixtures } from '../../src/analytics/elo/margin-matches.ts';
import { publishRatings } from '../../src/analytics/elo/publish-ratings.ts';
import { transaction } from '../../src/db/postgres.ts';
import { BUILT_IN } from '../../src/identity/precedence.ts';
import { routes } from '../../src/rankings/routes.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';
import { type Analytics, startAnalytics } from '../support/analytics.ts';
import { apiBench, match } from './api-bench.ts';

type MatchInput = MatchUpdateInput['match'];

describe('match ratings', () => {
  let fed: Fed;
  before(async () => {
    fed = await startFed(routes, '2024-06-01T12:00:00Z');
    await fed.tournaments({ sport: 'basketball', name: 'Euroleague', country: 'INT', tier: 1, importance: 90 });
    const weeks = Array.from({ length: 12 }, (_, week) => new Date(Date.parse('2024-02-01') + week * 7 * 86_400_000));
    await fed.matches(
      ...weeks.map((day, week) => game(`w${week}`, day.toISOString().slice(0, 10), { home: 90 + week, away: 80 })),
      game('next', '2024-06-20'),
      game('far', '2024-12-20'),
      { ...game('football', '2024-06-20'), sport: 'football' },
    );
  });
  after(() => fed.close());

  const game = (id: string, day: string, score?: MatchInput['score']): MatchInput => ({
    id,
    sport: 'basketball',
    tournament: { name: 'Euroleague', country: 'INT' },
    season: { label: '2023/24' },
    home: { name: 'Real Madrid', country: 'ES' },
    away: { name: 'Olympiacos', country: 'GR' },
    scheduled_start: `${day}T18:00:00Z`,
    ...(score && { score, status: 'finished' }),
  });
  const rows = async () => {
    const { rows } = await fed.db.pool.query<{ external_id: string; home: number; away: number; home_matches: number }>(
      `SELECT e.external_id, r.* FROM match_rating r JOIN external_ref e ON e.entity = 'match' AND e.entity_id = r.match_id
       ORDER BY match_id`,
    );
    return new Map(rows.map((row) => [row.external_id, row]));
  };
  const run = () =>
    publishRatings((work) => transaction(fed.db.pool, work), {
      pool: fed.db.pool,
      precedence: BUILT_IN,
      now: fed.now,
      pause: async () => {},
    });
  const versions = async () => (await fed.db.pool.query('SELECT xmin::text FROM match_rating ORDER BY match_id')).rows;

  it('are stored for past matches and for the next two months, and a second run writes no row', async () => {
    const published = await run();
    const found = await rows();
    assert.equal(found.size, 13);
    assert.equal(found.has('far'), false);
    assert.equal(found.has('football'), false);
    assert.deepEqual([found.get('w0')!.home, found.get('w0')!.home_matches], [1505, 0]);
    assert.ok(found.get('next')!.home > found.get('w11')!.home);
    assert.equal(found.get('next')!.home_matches, 12);
    const ranking = published!.find(({ kind }) => kind === 'elo_basketball')!;
    assert.equal(ranking.matches, 12);
    assert.equal(ranking.snapshots.at(-1)!.ranked[0]!.points, Math.round(found.get('next')!.home * 10) / 10);
    const before = await versions();
    await run();
    assert.deepEqual(await versions(), before);
  });

  it('disappear when the match’s sides are swapped, which also changes the reply’s version', async () => {
    const { rows: ids } = await fed.db.pool.query<{ id: number }>(
      "SELECT entity_id AS id FROM external_ref WHERE entity = 'match' AND external_id = 'next'",
    );
    const subject = async () => (await findMatchSubject(fed.db.pool, ids[0]!.id))!;
    const rated = await subject();
    assert.equal(rated.rating!.home_matches, 12);
    await fed.db.pool.query('UPDATE match SET home_id = away_id, away_id = home_id WHERE id = $1', [ids[0]!.id]);
    const swapped = await subject();
    assert.equal(swapped.rating, null);
    assert.notEqual(swapped.match_version, rated.match_version);
    await run();
    assert.equal((await subject()).rating!.away, rated.rating!.home);
  });

  it('follow a corrected result, and are removed if the match moves beyond the next two months', async () => {
    const before = (await rows()).get('next')!;
    await fed.db.pool.query(
      "UPDATE match SET home_score = 0 WHERE id = (SELECT entity_id FROM external_ref WHERE entity = 'match' AND external_id = 'w11')",
    );
    await run();
    assert.ok((await rows()).get('next')!.away < before.away);
    await fed.db.pool.query(
      "UPDATE match SET scheduled_start = '2024-12-01' WHERE id = (SELECT entity_id FROM external_ref WHERE entity = 'match' AND external_id = 'next')",
    );
    await run();
    assert.equal((await rows()).has('next'), false);
  });

  it('in cricket count revised results, give no unknown host an advantage, and leave out tournaments with two innings a side', async () => {
    const cricket = (id: string, own: Partial<MatchInput> = {}): MatchInput => ({
      ...game(id, '2024-05-01'),
      sport: 'cricket',
      tournament: { name: 'Premier League', country: 'IN' },
      home: { name: 'Mumbai', country: 'IN' },
      away: { name: 'Chennai', country: 'IN' },
      status: 'finished',
      score: { home: 180, away: 95 },
      ...own,
    });
    const test = { tournament: { name: 'Test Matches', country: 'INT' }, home: { name: 'India', country: 'IN' } };
    await fed.matches(
      cricket('revised', { winner: 'away', neutral: false }),
      cricket('unknown host', { scheduled_start: '2024-05-08T14:00:00Z' }),
      cricket('test', {
        ...test,
        period_scores: ['I1', 'I2', 'I3'].map((period) => ({ period, home: 60, away: 30 })),
      }),
    );
    const [first, second, third] = (await marginFixtures(fed.db.pool, 'cricket')).map(({ host, winner }) => [
      host,
      winner,
    ]);
    assert.deepEqual([first, second, third], [['home', 'away'], [null, 'home'], undefined]);
  });
});

describe('the card of a match with ratings', function () {
  this.timeout(60_000);
  let service: Analytics;
  before(async () => {
    service = await startAnalytics();
  });
  after(() => service?.close());
  const { load, card } = apiBench(() => service);

  it('has ratings and chances instead of a model, and a card stored earlier gets them too', async () => {
    const sport = { sport: 'basketball' };
    const days = ['2024-05-01', '2024-05-03', '2024-05-05', '2024-05-07', '2024-05-09'];
    const ids = await load(
      ...days.map((day) => match('Ball', day, 'A', 'B', [90, 70], sport)),
      match('Ball', '2024-05-20', 'A', 'B', undefined, sport),
    );
    const next = ids.at(-1)!;
    // Asks for a different reply than below, because a reply may be cached for a second.
    assert.equal((await card(next, 'explain=true')).rating, null);
    await publishRatings((work) => transaction(service.db.pool, work), {
      pool: service.db.pool,
      precedence: BUILT_IN,
      now: Date.parse('2024-05-10T12:00:00Z'),
      pause: async () => {},
    });
    const { model, rating, value_bets, h2h } = await card(next);
    assert.deepEqual([model, value_bets, h2h.team_a_wins], [null, [], 5]);
    assert.deepEqual([rating!.method, rating!.home.matches, rating!.home_advantage], ['elo_margin', 5, 70.4]);
    assert.ok(rating!.home.rating > 1505 && rating!.away.rating < 1505);
    const { home_win, draw, away_win } = rating!.probabilities;
    assert.equal(draw, null);
    assert.ok(home_win > 64 && Math.abs(home_win + away_win - 100) < 0.02, `${home_win} and ${away_win}`);
    assert.equal(rating!.fair_odds.home_win, Math.round(10_000 / home_win) / 100);
    // The fifth match is rated, because both sides had played four matches before.
    assert.equal((await card(ids.at(-2)!)).rating, null);
  });
});
