/** Counts the statements that each page sends, because a page with many small statements takes more time than with few large ones. */
import assert from 'node:assert/strict';
import type pg from 'pg';
import { Cards } from '../../src/analytics/cards/index.ts';
import { createReplyCaches } from '../../src/http/reply-caches.ts';
import type { WebDeps } from '../../src/web/deps.ts';
import { homePage } from '../../src/web/home/home-page.ts';
import { leaguesPage } from '../../src/web/leagues-page.ts';
import { findPageCard } from '../../src/web/match-analytics/load-card.ts';
import { ANALYTICS_TABS, MATCH_TABS, matchPageHtml } from '../../src/web/match-page/match-page.ts';
import { meetingsPage } from '../../src/web/meetings-page.ts';
import { PLAYER_TABS, playerPage } from '../../src/web/player-page/player-page.ts';
import { TEAM_TABS } from '../../src/web/team-page/read-team-page.ts';
import { teamPage } from '../../src/web/team-page/team-page.ts';
import { TOURNAMENT_TABS } from '../../src/web/tournament-page/read-tournament-page.ts';
import { tournamentPage } from '../../src/web/tournament-page/tournament-page.ts';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type SampleService, startSampleService } from '../support/sample-service.ts';

/** For a team and a player, one statement has found out before whom the address means. */
const MOST = {
  home: 2,
  'home without matches': 4,
  /** The statements of the list, and those of the match. */
  'home with details of a match': 6,
  match: 4,
  'match with a box score': 4,
  tournament: 4,
  team: 4,
  player: 2,
  leagues: 1,
  'search for leagues': 1,
  meetings: 2,
};
const BOUNDS = /^(BEGIN|COMMIT|ROLLBACK)/;

/** Returns the pool, which notes the statements that are sent through it. */
function noting(pool: pg.Pool, sent: string[]): pg.Pool {
  const note = (statement: string | { text: string }) => {
    const text = typeof statement === 'string' ? statement : statement.text;
    if (!BOUNDS.test(text)) sent.push(text);
  };
  const through = (target: pg.Pool | pg.PoolClient) => (statement: string, values: unknown[]) => {
    note(statement);
    return target.query(statement, values);
  };
  return Object.assign(Object.create(pool), {
    query: through(pool),
    connect: async () => {
      const client = await pool.connect();
      return Object.assign(Object.create(client), { query: through(client), release: () => client.release() });
    },
  });
}

describe('statements of pages', function () {
  this.timeout(120_000);
  let db: TestDatabase;
  let clickhouse: ClickHouseServer;
  let sample: SampleService;
  let deps: WebDeps;
  let sent: string[];
  const subject: Record<string, number> = {};
  before(async () => {
    db = await createTestDatabase();
    clickhouse = await startClickHouseServer();
    sample = await startSampleService({ DATABASE_URL: db.url, CLICKHOUSE_URL: clickhouse.url });
    const { running } = sample;
    sent = [];
    const pool = noting(running.deps.pool, sent);
    const analytics = running.provides.loader as Pick<WebDeps, 'clickhouse'>;
    deps = {
      ...running.deps,
      ...analytics,
      pool,
      reads: noting(running.deps.reads as pg.Pool, sent),
      cards: new Cards({ ...running.deps, pool }),
    } as unknown as WebDeps;
    const one = async (sql: string) => (await running.deps.pool.query<{ id: number }>(sql)).rows[0]!.id;
    subject.match = await one("SELECT match_id AS id FROM match_block WHERE block = 'lineups' ORDER BY 1 LIMIT 1");
    subject.player = await one(
      'SELECT participant_id AS id FROM match_player WHERE participant_id IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1',
    );
    subject.boxScore = await one(
      "SELECT match_id AS id FROM match_block WHERE block = 'player_stats' ORDER BY 1 LIMIT 1",
    );
    subject.tournament = await one(`SELECT tournament_id AS id FROM match WHERE id = ${subject.match}`);
    subject.team = await one(`SELECT home_id AS id FROM match WHERE id = ${subject.match}`);
  });
  after(async () => {
    await sample?.stop();
    await clickhouse?.stop();
    await db?.drop();
  });

  const options = { lang: 'en', root: '../', baseUrl: 'https://touchline.example', now: 0, zone: 'UTC' } as const;
  const matchPage = (id: number) => matchPageHtml(deps, id, 'overview', options, findPageCard(deps, id, 'en'));
  const pages: Record<keyof typeof MOST, () => Promise<unknown>> = {
    home: () => homePage(deps, { live: false }, 'UTC', options, { signUp: 'open' }),
    'home without matches': () =>
      homePage(deps, { date: '1950-01-01', live: false }, 'UTC', options, { signUp: 'open' }),
    'home with details of a match': () =>
      homePage(deps, { live: false, match: subject.match }, 'UTC', options, { signUp: 'open' }),
    match: () => matchPage(subject.match!),
    'match with a box score': () => matchPage(subject.boxScore!),
    tournament: () =>
      tournamentPage(deps, subject.tournament!, { tab: 'overview', table: 'total', stat: 'goals' }, options),
    team: () => teamPage(deps, subject.team!, { tab: 'overview', all: false }, options),
    player: () => playerPage(deps, subject.player!, 'overview', options),
    leagues: () => leaguesPage(deps, { q: '', country: '', page: 1 }, options),
    meetings: async () => {
      const { rows } = await sample.running.deps.pool.query<{ home_id: number; away_id: number }>(
        'SELECT home_id, away_id FROM match WHERE id = $1',
        [subject.match],
      );
      const [{ home_id: first, away_id: second }] = rows as [{ home_id: number; away_id: number }];
      return meetingsPage(deps, { first, second, first_name: '', second_name: '', page: 1 }, options);
    },
    'search for leagues': () => leaguesPage(deps, { q: 'premier', country: '', page: 1 }, options),
  };

  for (const [kind, most] of Object.entries(MOST) as [keyof typeof MOST, number][])
    it(`a ${kind} page sends at most ${most} to Postgres once its analytics are stored`, async () => {
      assert.notEqual(await pages[kind](), null);
      deps.caches = createReplyCaches({ subscribe: () => {} });
      sent.length = 0;
      assert.notEqual(await pages[kind](), null);
      assert.ok(sent.length > 0 && sent.length <= most, `${sent.length}: ${sent.join('; ')}`);
    });

  const tabs: Record<'match' | 'tournament' | 'team' | 'player', Record<string, () => Promise<unknown>>> = {
    match: Object.fromEntries(
      MATCH_TABS.map((tab) => [
        tab,
        () =>
          matchPageHtml(
            deps,
            subject.match!,
            tab,
            options,
            ANALYTICS_TABS.includes(tab) ? findPageCard(deps, subject.match!, 'en') : null,
          ),
      ]),
    ),
    tournament: Object.fromEntries(
      TOURNAMENT_TABS.map((tab) => [
        tab,
        () => tournamentPage(deps, subject.tournament!, { tab, table: 'total', stat: 'goals' }, options),
      ]),
    ),
    team: Object.fromEntries(
      TEAM_TABS.map((tab) => [tab, () => teamPage(deps, subject.team!, { tab, all: false }, options)]),
    ),
    player: Object.fromEntries(PLAYER_TABS.map((tab) => [tab, () => playerPage(deps, subject.player!, tab, options)])),
  };
  for (const [kind, pagesOfTabs] of Object.entries(tabs) as [keyof typeof tabs, (typeof tabs)['match']][])
    it(`no tab of a ${kind} page sends more than ${MOST[kind]} to Postgres`, async () => {
      for (const [tab, make] of Object.entries(pagesOfTabs)) {
        assert.notEqual(await make(), null);
        deps.caches = createReplyCaches({ subscribe: () => {} });
        sent.length = 0;
        assert.notEqual(await make(), null);
        assert.ok(sent.length > 0 && sent.length <= MOST[kind], `${tab}: ${sent.length}: ${sent.join('; ')}`);
      }
    });

  it('a past season has its own profile, and the current one that of the last 913 days', async () => {
    const { pool } = sample.running.deps;
    deps.clock = { now: () => Date.parse('2026-11-29T12:00:00Z') };
    const { rows: seasons } = await pool.query<{ id: number; is_current: boolean; played: number }>(
      `SELECT s.id, s.id = current_season($1, '2026-11-29') AS is_current, count(*)::int AS played FROM season s
       JOIN match m ON m.season_id = s.id AND m.status = 'finished' AND m.home_score IS NOT NULL
       WHERE s.tournament_id = $1 GROUP BY 1 ORDER BY 1`,
      [subject.tournament],
    );
    // A card from before all matches were loaded may still be shown while a new one is computed.
    await pool.query("DELETE FROM analytics_card WHERE kind = 'league'");
    const counted = async (season: number | undefined) => {
      const query = { tab: 'statistics', table: 'total', stat: 'goals', season } as const;
      let body: string;
      // A busy machine may need longer than the page waits.
      do ({ body } = (await tournamentPage(deps, subject.tournament!, query, options))!);
      while (body.includes('data-pending'));
      return Number(/id="profile"[^§]*?<p class="note">([\d,]+) matches from/.exec(body)![1]!.replace(',', ''));
    };
    const past = seasons.filter(({ is_current }) => !is_current);
    assert.ok(past.length > 0);
    for (const { id, played } of past) assert.equal(await counted(id), played, `season ${id}`);
    const current = seasons.find(({ is_current }) => is_current)!;
    assert.equal(await counted(current.id), await counted(undefined));
  });

  it('the place of a team after each round, beside the table, is that of the API', async () => {
    deps.clock = { now: () => Date.parse('2026-11-29T12:00:00Z') };
    const page = async (lang: 'en' | 'ru') => {
      const shown = await teamPage(deps, subject.team!, { tab: 'table', all: false }, { ...options, lang });
      return /id="places"[^§]*?<\/section>/.exec(shown!.body)![0];
    };
    const [text, russian] = [await page('en'), await page('ru')];
    const { rows } = await sample.running.deps.pool.query<{ tournament_id: number }>(
      `SELECT tournament_id FROM match WHERE $1 IN (home_id, away_id) AND status = 'finished' ORDER BY scheduled_start DESC LIMIT 1`,
      [subject.team],
    );
    const path = `/v1/tournament/${rows[0]!.tournament_id}/standings/history?participant=${subject.team}`;
    const response = await fetch(sample.url + path, { headers: { 'X-API-Key': sample.key } });
    const { rows: history } = (await response.json()) as { rows: { positions: number[] }[] };
    const { positions } = history[0]!;
    assert.ok(positions.length > 1);
    const [best, worst, now] = [Math.min(...positions), Math.max(...positions), positions.at(-1)];
    assert.ok(text.includes(`Best place: ${best}. Worst place: ${worst}. Now: ${now}.`), text);
    assert.ok(russian.includes(`Лучшее место: ${best}. Худшее: ${worst}. Сейчас: ${now}.`), russian);
    assert.equal(/class="line" d="M([^"]*)"/.exec(text)![1]!.split('L').length, positions.length);
  });

  it('pages of two teams in a league read the table once, until a match in the league changes', async () => {
    const tableReads = async (id: number) => {
      sent.length = 0;
      assert.notEqual(await teamPage(deps, id, { tab: 'overview', all: false }, options), null);
      return sent.filter((text) => text.endsWith('AS "found"')).length;
    };
    const { pool } = sample.running.deps;
    const { rows } = await pool.query<{ home_id: number; away_id: number }>(
      'SELECT home_id, away_id FROM match WHERE id = $1',
      [subject.match],
    );
    const { home_id, away_id } = rows[0]!;
    deps.clock = { now: () => Date.parse('2026-11-29T12:00:00Z') };
    assert.equal(await tableReads(home_id), 1);
    assert.equal(await tableReads(home_id), 0);
    assert.equal(await tableReads(away_id), 0);
    await pool.query(
      `UPDATE match SET version = version + 1 WHERE id = (
         SELECT id FROM match WHERE season_id = current_season($1, '2026-11-29') ORDER BY id LIMIT 1)`,
      [subject.tournament],
    );
    assert.equal(await tableReads(away_id), 1);
    deps.clock = { now: () => Date.parse('2026-11-29T12:01:00Z') };
    assert.equal(await tableReads(home_id), 1);
  });
});
