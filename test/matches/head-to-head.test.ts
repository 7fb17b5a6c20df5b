import assert from 'node:assert/strict';
import { readHeadToHead } from '../../src/matches/head-to-head.ts';
import { routes } from '../../src/matches/routes.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

type Match = MatchUpdateInput['match'];
interface Reply {
  team_a: { id: number; name: string };
  team_b: { id: number; name: string };
  total: number;
  matches: number;
  team_a_wins: number;
  draws: number;
  team_b_wins: number;
  team_a_goals: number;
  team_b_goals: number;
  count: number;
  events: { id: number; scheduled_start: string }[];
}

describe('meetings between two sides over REST', () => {
  let fed: Fed;
  let elm: number;
  let oak: number;
  let serial = 0;
  const match = (home: string, away: string, over: Partial<Match> = {}): Match => ({
    id: `h${++serial}`,
    sport: 'football',
    tournament: { name: 'League', country: 'GB-ENG' },
    season: { label: '2023' },
    home: { name: home, country: 'GB-ENG' },
    away: { name: away, country: 'GB-ENG' },
    scheduled_start: `2023-01-${String(serial).padStart(2, '0')}T15:00:00Z`,
    status: 'finished',
    status_detail: 'ended',
    score: { home: 2, away: 1 },
    ...over,
  });
  before(async () => {
    fed = await startFed(routes);
    await fed.matches(
      match('Elm', 'Oak'),
      match('Oak', 'Elm', { score: { home: 0, away: 3 } }),
      match('Oak', 'Elm', { score: { home: 1, away: 1 } }),
      match('Oak', 'Elm', {
        score: { home: 1, away: 1 },
        status_detail: 'after_penalties',
        period_scores: [{ period: 'PEN', home: 5, away: 4 }],
      }),
      match('Elm', 'Oak', {
        status_detail: 'awarded',
        score: { home: 3, away: 0 },
        tournament: { name: 'Cup', country: 'GB-ENG' },
      }),
      match('Elm', 'Ash'),
      match('Elm', 'Oak', {
        scheduled_start: '2025-01-01T15:00:00Z',
        status: 'scheduled',
        status_detail: 'not_started',
        score: null,
      }),
    );
    [elm, oak] = [await fed.participantId('Elm'), await fed.participantId('Oak')];
  });
  after(() => fed.close());
  const read = async (query: string) => {
    const { status, json } = await fed.app.ask<Reply>(`/v1/h2h?${query}`);
    assert.equal(status, 200, JSON.stringify(json));
    return json;
  };

  it('have wins, draws and goals counted from both sides, with a shoot-out as a draw and without awarded matches', async () => {
    const { team_a, team_b, events: _, ...counts } = await read(`participants=${elm},${oak}`);
    assert.deepEqual([team_a.name, team_b.name], ['Elm', 'Oak']);
    assert.deepEqual(counts, {
      total: 6,
      matches: 4,
      team_a_wins: 2,
      draws: 2,
      team_b_wins: 0,
      team_a_goals: 7,
      team_b_goals: 3,
      count: 6,
    });
    const other = await read(`participants=${oak},${elm}`);
    assert.deepEqual([other.team_a_wins, other.team_b_wins, other.team_a_goals], [0, 2, 3]);
  });

  it('are all listed, newest first, in pages', async () => {
    const { events } = await read(`participants=${elm},${oak}`);
    assert.deepEqual(
      events.map(({ scheduled_start }) => scheduled_start.slice(0, 10)),
      ['2025-01-01', '2023-01-05', '2023-01-04', '2023-01-03', '2023-01-02', '2023-01-01'],
    );
    const page = await read(`participants=${elm},${oak}&limit=2&offset=4`);
    assert.deepEqual(
      [page.count, page.total, page.events.map(({ id }) => id)],
      [2, 6, events.slice(4).map(({ id }) => id)],
    );
  });

  it('do not exist for sides that have never met', async () => {
    const { total, matches, events } = await read(`participants=${oak},${await fed.participantId('Ash')}`);
    assert.deepEqual([total, matches, events], [0, 0, []]);
  });

  it('are left out for a plan that excludes their tournament', async () => {
    const access = { sports: [], tournaments: [await fed.tournamentId('Cup')] };
    const query = { participants: [elm, oak], limit: 10, offset: 0, blocks: null, access };
    const { total } = JSON.parse((await readHeadToHead(fed.db.pool, query, new Date(fed.now))).body) as Reply;
    assert.equal(total, 1);
  });

  it('need two different known ids, and anything else is an error', async () => {
    for (const [query, status, detail] of [
      ['', 422, /participants: is required/],
      [`participants=${elm}`, 422, /must have at least 2 different values/],
      [`participants=${elm},${elm}`, 422, /must have at least 2 different values/],
      [`participants=${elm},${oak},999`, 422, /must have at most 2 values/],
      [`participants=${elm},x`, 422, /participants: must be an integer/],
      [`participants=${elm},999999`, 404, /no participant 999999/],
      [`participants=999999,${elm}`, 404, /no participant 999999/],
      [`participants=${elm},${oak}&limit=101`, 422, /limit/],
    ] as const) {
      const { status: got, json } = await fed.app.ask(`/v1/h2h?${query}`);
      assert.equal(got, status, query);
      assert.match(json.detail, detail, query);
    }
  });
});
