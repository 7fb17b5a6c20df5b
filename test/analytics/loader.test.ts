import assert from 'node:assert/strict';
import { type Analytics, type Match, startAnalytics } from '../support/analytics.ts';
import { assertLoaded } from './stored-history.ts';

const LEAGUE = { name: 'First League', country: 'GB-ENG' };
const side = (name: string) => ({ name, country: 'GB-ENG' });
const played = (id: string, over: Partial<Match> = {}): Match => ({
  id,
  sport: 'football',
  tournament: LEAGUE,
  season: { label: '2023/24' },
  home: side(`Home ${id}`),
  away: side(`Away ${id}`),
  scheduled_start: '2024-05-01T14:00:00Z',
  status: 'finished',
  score: { home: 2, away: 1 },
  ...over,
});

describe('the loader', function () {
  this.timeout(60_000);
  let service: Analytics;
  before(async () => {
    service = await startAnalytics();
  });
  after(() => service?.close());
  beforeEach(() => service.clear());

  const count = () => assertLoaded(service);
  const sql = (text: string, values: unknown[] = []) => service.db.pool.query(text, values);

  describe('finds what counts', () => {
    it('finished matches are there once, and once for each side; others are not', async () => {
      await service.matches(
        played('a'),
        played('b', { status_detail: 'awarded' }),
        played('c', { score: { home: 0, away: 0 } }),
        played('scheduled', { status: 'scheduled', score: null }),
        played('live', { status: 'live' }),
        played('cancelled', { status_detail: 'cancelled', score: null }),
        played('abandoned', { status_detail: 'abandoned' }),
        played('without', { score: null }),
        // At midnight, which stands for an unknown kick-off.
        played('tbd', { scheduled_start: '2024-05-02T00:00:00Z', time_tbd: true }),
      );
      await service.settle();
      assert.equal(await count(), 4);
      const rows = await service.rows<{ n: number }>('SELECT count() AS n FROM side_match FINAL');
      assert.equal(rows[0]!.n, 8);
    });

    it('a side against itself is not counted', async () => {
      const [id] = await service.matches(played('a'), played('b'));
      // The feed does not let one in.
      const [refused] = await service.feed([
        { kind: 'match', match: played('self', { home: side('X'), away: side('X') }) },
      ]);
      assert.equal(refused!.outcome, 'rejected');
      await sql('UPDATE match SET away_id = home_id WHERE id = $1', [id]);
      await service.touch(id!);
      await service.settle();
      assert.equal(await count(), 1);
    });

    it('a match has its result, its goals and what is known of its cards', async () => {
      const figure = (stat_name: string, home: number, away: number) => ({
        period: 'ALL',
        group_name: null,
        stat_name,
        home_value: home,
        away_value: away,
        home_text: null,
        away_text: null,
      });
      const [plain, cards, incidents, goalsOnly, tie, hockey] = await service.matches(
        played('plain'),
        played('cards', {
          statistics: [figure('Yellow cards', 3, 1), figure('Red cards', 1, 0), figure('Shots on target', 7, 0)],
        }),
        played('incidents', {
          incidents: [
            { kind: 'card', side: 'home', minute: 10 },
            { kind: 'card', side: 'home', minute: 20 },
            { kind: 'goal', side: 'home', minute: 30 },
          ],
        }),
        played('goals', { incidents: [{ kind: 'goal', side: 'home', minute: 30 }] }),
        // The second leg of a tie that was level after both.
        played('tie', {
          status_detail: 'after_penalties',
          period_scores: [
            { period: '1H', home: 1, away: 0 },
            { period: '2H', home: 1, away: 1 },
            { period: 'PEN', home: 3, away: 4 },
          ],
        }),
        played('hockey', {
          sport: 'ice-hockey',
          tournament: { name: 'Ice League', country: 'CH' },
          score: { home: 2, away: 2 },
          period_scores: [
            { period: 'P1', home: 2, away: 2 },
            { period: 'SO', home: 0, away: 1 },
          ],
        }),
      );
      await service.settle();
      assert.equal(await count(), 6);
      const rows = await service.rows<Record<string, unknown>>(
        'SELECT match_id, winner, overtime, home_goals, away_goals, home_shots, away_shots, home_cards, away_cards FROM played_match FINAL ORDER BY match_id',
      );
      assert.deepEqual(
        rows.map(({ match_id, ...row }) => [match_id, ...Object.values(row)]),
        [
          [plain, 'home', 0, 2, 1, null, null, null, null],
          [cards, 'home', 0, 2, 1, 7, 0, 4, 1],
          [incidents, 'home', 0, 2, 1, null, null, 2, 0],
          [goalsOnly, 'home', 0, 2, 1, null, null, null, null],
          [tie, 'home', 1, 2, 1, null, null, null, null],
          [hockey, 'away', 1, 2, 2, null, null, null, null],
        ],
      );
    });
  });

  describe('follows changes', () => {
    const changes: [string, (id: number) => Promise<unknown>, number][] = [
      ['a correction', () => service.matches(played('a', { score: { home: 0, away: 5 } })), 2],
      [
        'a score withdrawn',
        (id) => sql('UPDATE match SET home_score = NULL, away_score = NULL WHERE id = $1', [id]),
        1,
      ],
      ['live again', () => service.matches(played('a', { status: 'live' })), 1],
      ['cancelled', () => service.matches(played('a', { status_detail: 'cancelled', score: null })), 1],
      ['deleted', () => service.matches(played('a', { deleted: true })), 1],
      ['moved to another day', () => service.matches(played('a', { scheduled_start: '2024-05-09T14:00:00Z' })), 2],
      ['moved to another season', () => service.matches(played('a', { season: { label: '2024/25' } })), 2],
      [
        'moved to another tournament',
        () => service.matches(played('a', { tournament: { name: 'The Cup', country: 'GB-ENG' } })),
        2,
      ],
      ['sides exchanged', (id) => sql('UPDATE match SET home_id = away_id, away_id = home_id WHERE id = $1', [id]), 2],
      ['a side replaced', () => service.matches(played('a', { away: side('Somebody Else') })), 2],
    ];
    for (const [name, change, left] of changes)
      it(`${name}, and as before`, async () => {
        const [id] = await service.matches(played('a'), played('b'));
        await service.settle();
        assert.equal(await count(), 2);
        const before = await sql('SELECT row_to_json(m)::text AS row FROM match m WHERE id = $1', [id]);
        await change(id!);
        await service.touch(...(name === 'deleted' ? [] : [id!]));
        const after = await sql('SELECT row_to_json(m)::text AS row FROM match m WHERE id = $1', [id]);
        assert.notDeepEqual(after.rows, before.rows, 'nothing has changed');
        await service.settle();
        assert.equal(await count(), left);
        if (name === 'deleted') return;
        // As it was: under the key of a row that has been deleted.
        await sql(
          `UPDATE match m SET (status, status_detail, home_score, away_score, scheduled_start, tournament_id, season_id, home_id, away_id) =
             (SELECT b.status, b.status_detail, b.home_score, b.away_score, b.scheduled_start, b.tournament_id, b.season_id, b.home_id, b.away_id
              FROM json_populate_record(NULL::match, $2) b) WHERE id = $1`,
          [id, before.rows[0].row],
        );
        await service.touch(id!);
        await service.settle();
        assert.equal(await count(), 2);
      });

    it('two teams that are merged have one history', async () => {
      const ids = await service.matches(
        played('a', { home: side('Old Name') }),
        played('b', { home: side('New Name'), scheduled_start: '2024-05-08T14:00:00Z' }),
      );
      await service.settle();
      const [from, into] = [
        await service.idOf('participant', 'Old Name'),
        await service.idOf('participant', 'New Name'),
      ];
      await sql('UPDATE match SET home_id = $2 WHERE home_id = $1', [from, into]);
      await service.touch(ids[0]!);
      await service.settle();
      assert.equal(await count(), 2);
      const sides = await service.rows<{ n: number }>(
        `SELECT countIf(side_id = ${from}) AS former, countIf(side_id = ${into}) AS n FROM side_match FINAL`,
      );
      assert.deepEqual(sides, [{ former: 0, n: 2 }]);
    });

    it('of two matches that are merged one counts', async () => {
      const [from, into] = await service.matches(played('a'), played('b'));
      await service.settle();
      await sql('DELETE FROM match WHERE id = $1', [from]);
      await sql('INSERT INTO match_touch (match_id, tombstone) VALUES ($1, $2)', [
        from,
        JSON.stringify({ reason: 'merged', sport: 'football', tournament_id: 1, merged_into: into }),
      ]);
      await service.settle();
      assert.equal(await count(), 1);
    });

    it('a rename counts nothing twice, and its name is that of Postgres', async () => {
      const home = { id: 'h', ...side('Old Town') };
      const [id] = await service.matches(
        played('a', { home }),
        played('b', { home, scheduled_start: '2024-05-20T14:00:00Z' }),
      );
      await service.settle();
      const card = () =>
        service.app.ask<{ home: { name: string; form: { overall: { matches: number } } } }>(
          `/v1/event/${id! + 1}/analytics`,
        );
      const first = (await card()).json;
      assert.deepEqual([first.home.name, first.home.form.overall.matches], ['Old Town', 1]);
      await service.feed(
        [{ kind: 'participant', participant: { id: 'h', type: 'team', sport: 'football', ...side('New Town') } }],
        {
          events: true,
        },
      );
      await service.settle();
      assert.equal(await count(), 2);
      service.deps.changes.publish([id! + 1]);
      const second = (await card()).json;
      assert.deepEqual([second.home.name, second.home.form.overall.matches], ['New Town', 1]);
    });
  });
});
