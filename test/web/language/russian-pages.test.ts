/** Walks the pages of the site in Russian, and looks for words in Latin letters. */
import assert from 'node:assert/strict';
import { latinTexts } from '../../support/latin-words.ts';
import { feedLeague, LEAGUE, STAR } from '../sample-league.ts';
import { createHarness, goal, type Harness, playing, type Site } from '../site.ts';

const NOW = Date.parse('2025-05-24T12:00:00Z');

describe('pages of the site in Russian', () => {
  let harness: Harness;
  let site: Site;
  let paths: string[];
  before(async () => {
    harness = await createHarness();
    site = await harness.start({ clock: { now: () => NOW } });
    await feedLeague(harness, NOW);
    const live = await harness.apply(
      'live',
      playing('Red Stars', 'Blue Moons', [1, 0], 30, {
        incidents: [
          goal('1', 'home', 12, 'Ana Reed', [1, 0]),
          {
            id: '2',
            minute: 20,
            period: '1H',
            kind: 'subst',
            side: 'home',
            payload: { player_in: 'Joy Moss', player_out: 'Ana Reed' },
          },
        ],
        venue: { name: 'Moss Lane', city: 'Oldtown', country: 'GB-ENG' },
      }),
    );
    const { rows } = await harness.pool.query<{ name: string; id: number }>(
      'SELECT name, id FROM participant WHERE person_id IS NULL UNION ALL SELECT name, id FROM tournament',
    );
    const ids = Object.fromEntries(rows.map(({ name, id }) => [name, id]));
    const { rows: matches } = await harness.pool.query<{ id: number }>(
      `SELECT m.id FROM match m JOIN tournament t ON t.id = m.tournament_id WHERE t.name = $1 ORDER BY m.id LIMIT 3`,
      [LEAGUE.name],
    );
    paths = [
      '/',
      '/?live=1',
      '/?date=2025-05-23',
      '/leagues',
      '/rankings',
      '/settings',
      '/search?q=%D0%B0%D1%80%D1%81%D0%B5%D0%BD%D0%B0%D0%BB',
      ...['', '?table=away', '?tab=table', '?tab=matches', '?tab=leaders'].map(
        (query) => `/tournament/${ids[LEAGUE.name]}${query}`,
      ),
      ...['', '?tab=squad', '?tab=statistics', '?tab=transfers'].map((query) => `/team/${ids.Arsenal}${query}`),
      `/player/${ids[STAR.name]}`,
      ...[live, ...matches.map(({ id }) => id)].flatMap((id) => [`/match/${id}`, `/match/${id}?tab=lineups`]),
    ];
  });
  after(() => harness.drop());

  it('have no words in Latin letters, except names that are marked as English', async () => {
    const found: string[] = [];
    for (const path of paths) {
      const response = await fetch(site.url + path, { headers: { 'Accept-Language': 'ru' } });
      assert.equal(response.status, 200, path);
      const text = await response.text();
      assert.match(text, /<html lang="ru"/, path);
      found.push(...latinTexts(text).map((one) => `${path}: ${one}`));
    }
    assert.deepEqual(found, []);
  });

  it('mark a name without a Russian form as English, and leave it unmarked on an English page', async () => {
    const path = paths.find((one) => one.startsWith('/match/'))!;
    const read = async (lang: string) =>
      (await fetch(site.url + path, { headers: { 'Accept-Language': lang } })).text();
    assert.match(
      await read('ru'),
      /<span lang="en">Ana Reed<\/span>[\s\S]*<span lang="en">Red Stars<\/span>|<span lang="en">Red Stars<\/span>/,
    );
    assert.doesNotMatch(await read('en'), /<span lang="en">(Ana Reed|Red Stars)</);
  });
});
