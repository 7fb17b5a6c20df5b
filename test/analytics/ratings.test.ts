import assert from 'node:assert/strict';
import { publishRatings } from '../../src/analytics/elo/publish-ratings.ts';
import { ratedMatches } from '../../src/analytics/elo/rated-matches.ts';
import { ratingsCommand } from '../../src/analytics/ratings-command.ts';
import { transaction } from '../../src/db/postgres.ts';
import { BUILT_IN } from '../../src/identity/precedence.ts';
import { ratings as ratingsJob } from '../../src/jobs/ratings.ts';
import { routes } from '../../src/rankings/routes.ts';
import { createRests } from '../../src/runtime/pause.ts';
import type { MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';
import { startTestJob } from '../support/jobs.ts';
import { until } from '../support/until.ts';

type MatchInput = MatchUpdateInput['match'];
interface Rankings {
  published_at: string | null;
  total: number;
  rankings: { rank: number; participant: { name: string }; points: number; movement: number | null }[];
}

describe('touchline ratings', () => {
  let fed: Fed;
  before(async () => {
    fed = await startFed(routes, '2024-06-01T12:00:00Z');
    await fed.tournaments(
      { sport: 'football', name: 'La Liga', country: 'ES', tier: 1, importance: 93 },
      { sport: 'football', name: 'Serie A', country: 'IT', tier: 1, importance: 90 },
      { sport: 'football', name: 'J1 League', country: 'JP', tier: 1, importance: 55 },
      { sport: 'football', name: 'UEFA Champions League', country: 'INT', importance: 96 },
      { sport: 'football', name: 'Island Games', country: 'INT', amateur: true },
    );
    await fed.matches(...internationals(), ...clubMatches());
  });
  after(() => fed.close());

  let id = 0;
  const match = (home: string, away: string, day: string, over: Partial<MatchInput> = {}): MatchInput => ({
    id: `m${++id}`,
    sport: 'football',
    tournament: { name: 'International Friendlies', country: 'INT' },
    season: { label: day.slice(0, 4) },
    home: { name: home, country: 'INT' },
    away: { name: away, country: 'INT' },
    scheduled_start: `${day}T15:00:00Z`,
    score: { home: 1, away: 0 },
    status: 'finished',
    ...over,
  });
  const day = (number: number) => new Date(Date.parse('2024-03-02') + number * 86_400_000).toISOString().slice(0, 10);
  const internationals = () => [
    ...Array.from({ length: 30 }, (_, round) => match('Spain', 'France', day(round), { neutral: true })),
    ...Array.from({ length: 30 }, (_, round) => match('Brazil', 'Chile', day(round))),
    ...['2024-05-18', '2024-05-20'].map((on) =>
      match('Chile', 'Brazil', on, {
        tournament: { name: 'FIFA World Cup', country: 'INT' },
        score: { home: 9, away: 0 },
      }),
    ),
    match('Spain', 'France', '2024-05-21', { status_detail: 'awarded', score: { home: 0, away: 3 } }),
    match('Spain', 'Catalonia', '2024-05-22'),
    match('Spain', 'France', '2024-05-23', { tournament: { name: 'Island Games', country: 'INT' } }),
    match('Spain', 'France', '2024-05-24', { tournament: { name: 'Cup of Women', country: 'INT', gender: 'women' } }),
  ];
  const league = (name: string, country: string, home: string, away: string, on: string) =>
    match(home, away, on, {
      tournament: { name, country },
      season: { label: '2023/24' },
      home: { name: home, country },
      away: { name: away, country },
    });
  const clubMatches = () => [
    league('La Liga', 'ES', 'Real Madrid', 'Barcelona', '2024-03-10'),
    league('Serie A', 'IT', 'Internazionale', 'Milan', '2024-03-10'),
    league('J1 League', 'JP', 'Vissel Kobe', 'Gamba Osaka', '2024-03-10'),
    match('Real Madrid', 'Internazionale', '2024-04-10', {
      tournament: { name: 'UEFA Champions League', country: 'INT' },
      season: { label: '2023/24' },
      home: { name: 'Real Madrid', country: 'ES' },
      away: { name: 'Internazionale', country: 'IT' },
    }),
  ];
  const run = async () => {
    const lines: string[] = [];
    await ratingsCommand({ pool: fed.db.pool, precedence: BUILT_IN, now: fed.now }, (line) => lines.push(line));
    return lines;
  };
  const ask = async (query: string) => (await fed.app.ask<Rankings>(`/v1/rankings?${query}`)).json;

  it('counts finished men’s matches between national teams or between clubs', async () => {
    const { national, clubs } = await ratedMatches(fed.db.pool);
    assert.equal(national.length, 62);
    assert.equal(national.filter(({ host }) => host === null).length, 30);
    assert.deepEqual([...new Set(national.map(({ weight }) => weight))].toSorted(), [20, 60]);
    assert.deepEqual(clubs.map(({ country, tier, importance }) => [country, tier, importance]).toSorted(), [
      ['ES', 1, 93],
      ['INT', null, 96],
      ['IT', 1, 90],
      ['JP', 1, 55],
    ]);
  });

  it('publishes rankings that show each team’s movement, and a second run changes no row', async () => {
    const lines = await run();
    assert.match(lines.join('\n'), /4 ranked on 2024-05-31; 3 rankings from 2024-03-31 on, 3 changed/);
    assert.match(lines.join('\n'), /clubs from JP are not ranked/);
    const { published_at, rankings } = await ask('kind=elo_national_teams');
    assert.equal(published_at, '2024-05-31');
    assert.deepEqual(
      rankings.map(({ participant, movement }) => [participant.name, movement]),
      [
        ['Spain', 0],
        ['Chile', 1],
        ['Brazil', -1],
        ['France', 0],
      ],
    );
    assert.equal(Math.round(rankings.reduce((sum, { points }) => sum + points, 0)), 6000);
    assert.equal((await ask('kind=elo_national_teams&date=2024-05-30')).published_at, '2024-04-30');
    assert.deepEqual(
      (await ask('kind=elo_clubs')).rankings.map(({ participant }) => participant.name),
      ['Real Madrid', 'Barcelona', 'Internazionale', 'Milan'],
    );
    const stored = async () => (await fed.db.pool.query('SELECT * FROM ranking_entry ORDER BY 1, 2')).rows;
    const before = await stored();
    const again = await run();
    assert.equal(again.filter((line) => /, 0 changed/.test(line)).length, 2);
    assert.deepEqual(await stored(), before);
  });

  it('updates later rankings after a corrected result, and removes a ranking for a day on which none is due', async () => {
    await fed.db.pool.query(
      "INSERT INTO ranking (kind, published_at, provider) VALUES ('elo_clubs', '2024-02-29', 'touchline')",
    );
    await fed.db.pool.query(
      "UPDATE match SET home_score = 0, away_score = 5 WHERE tournament_id = (SELECT id FROM tournament WHERE name = 'UEFA Champions League')",
    );
    const lines = await run();
    assert.match(lines.join('\n'), /\(elo_clubs\): 4 matches\n.* 1 rankings from 2024-04-30 on, 2 changed/);
    assert.equal((await ask('kind=elo_clubs')).rankings[0]!.participant.name, 'Internazionale');
    assert.equal((await ask('kind=elo_clubs&date=2024-04-01')).published_at, null);
  });

  describe('the nightly job', () => {
    const elo = async () =>
      (
        await fed.db.pool.query(
          "SELECT r.kind, r.published_at, e.* FROM ranking r JOIN ranking_entry e ON e.ranking_id = r.id WHERE r.kind LIKE 'elo%' ORDER BY 1, 2, e.rank, e.participant_id",
        )
      ).rows.map(({ ranking_id, ...entry }) => entry);
    const hasRun = async () =>
      (await fed.db.pool.query("SELECT FROM job WHERE name = 'ratings' AND succeeded_at IS NOT NULL")).rowCount === 1;
    const start = () => startTestJob(ratingsJob, { pool: fed.db.pool, clock: { now: () => fed.now } });
    beforeEach(async () => {
      await fed.db.pool.query('DELETE FROM job');
      await fed.db.pool.query("INSERT INTO job (name, added_at) VALUES ('ratings', '2024-05-31')");
    });

    it('publishes the same rankings as the command', async () => {
      await run();
      const byCommand = await elo();
      assert.ok(byCommand.length > 0);
      await fed.db.pool.query("DELETE FROM ranking WHERE kind LIKE 'elo%'");
      const job = start();
      await until('it has run', hasRun);
      await job.stop();
      assert.deepEqual(await elo(), byCommand);
    });

    it('publishes no rankings while another process publishes them, and neither does the command', async () => {
      const before = await elo();
      const deps = { pool: fed.db.pool, precedence: BUILT_IN, now: fed.now };
      let others: string[] = [];
      let isFirst = true;
      await publishRatings((work) => transaction(fed.db.pool, work), {
        ...deps,
        async pause() {
          if (!isFirst) return;
          isFirst = false;
          await fed.db.pool.query("DELETE FROM ranking WHERE kind = 'elo_clubs'");
          const job = start();
          await until('the job has run', hasRun);
          await job.stop();
          others = await run();
          assert.ok((await elo()).every(({ kind }) => kind !== 'elo_clubs'));
        },
      });
      assert.deepEqual(others, ['Another process is computing the ratings']);
      assert.deepEqual(await elo(), before);
    });

    it('stops at the next pause if it is aborted, and then a new run can begin', async () => {
      const options = { pool: fed.db.pool, precedence: BUILT_IN, now: fed.now };
      const transact: Parameters<typeof publishRatings>[0] = (work) => transaction(fed.db.pool, work);
      const pause = createRests(AbortSignal.abort(new Error('stopped')));
      await assert.rejects(publishRatings(transact, { ...options, pause }), /stopped/);
      assert.notEqual(await publishRatings(transact, { ...options, pause: async () => {} }), null);
    });
  });
});
