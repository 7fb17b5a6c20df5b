import assert from 'node:assert/strict';
import { createHarness, type Harness, type Site } from './site.ts';

const NOW = Date.parse('2025-05-24T12:00:00Z');

const LEAGUES = [
  ['football', 'Premier League', 'Английская Премьер-лига', 'GB-ENG', 'men'],
  ['football', 'Serie A', null, 'IT', 'men'],
  ['football', 'Serie B', null, 'IT', 'men'],
  ['football', 'World Cup', 'Чемпионат мира', 'INT', 'men'],
  ['football', 'Frauen-Bundesliga', null, 'DE', 'women'],
  ['basketball', 'Euroleague', null, 'INT', 'men'],
  ['handball', 'Звёздная лига', null, 'RU', 'men'],
] as const;

describe('the leagues page', () => {
  let harness: Harness;
  let site: Site;
  before(async () => {
    harness = await createHarness();
    site = await harness.start({ clock: { now: () => NOW } });
  });
  after(() => harness.drop());

  const get = async (query = '') => {
    const response = await fetch(`${site.url}/leagues${query}`, { headers: { 'Accept-Language': 'en' } });
    return { status: response.status, text: await response.text() };
  };
  const textOf = (markup: string) =>
    markup
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
  const listed = async (query: string) =>
    [...(await get(query)).text.matchAll(/<li><a href="tournament\/[^>]*>([^<]*)<\/a>/g)].map(([, name]) => name);
  /** Starts the service again, because a list of leagues is kept for a minute. */
  const restart = async () => {
    await site.stop();
    site = await harness.start({ clock: { now: () => NOW } });
  };

  it('says that an empty catalogue is empty', async () => {
    const { status, text } = await get();
    assert.equal(status, 200);
    assert.match(text, /There are no matches in the catalogue yet\./);
    assert.doesNotMatch(text, /class="tabs"|By country/);
  });

  describe('with leagues', () => {
    before(async () => {
      for (const [index, [sport, name, name_ru, country, gender]] of LEAGUES.entries())
        await harness.apply(`league ${index}`, {
          sport,
          tournament: { name, country, gender, ...(name_ru && { name_ru }) },
          home: { name: `Home ${index}` },
          away: { name: `Away ${index}` },
        });
      await harness.pool.query(
        `INSERT INTO tournament (sport, country, name, key, gender) VALUES ('darts', 'NL', 'Unplayed League', 'unplayed league', 'men')`,
      );
      await harness.pool.query(`UPDATE tournament SET importance = 90 WHERE name = 'Serie A'`);
      await restart();
    });

    it('shows the most important leagues of each sport first, then all by country, international ones first', async () => {
      const { text } = await get();
      const [top, countries] = text.split('By country');
      const cards = textOf(top!.slice(top!.indexOf('id="found"')));
      assert.match(
        cards,
        /Football Serie A Italy .*Basketball Euroleague International.*Handball Звёздная лига Russia/,
      );
      assert.match(textOf(countries!), /International 2 .*England 1 .*Germany 1 .*Italy 2 .*Russia 1/);
      assert.match(countries!, /<img class="flag" src="flags\/GB-ENG\?v=/);
      assert.match(textOf(countries!), /Frauen-Bundesliga Football · women/);
      assert.doesNotMatch(text, /Unplayed/);
    });

    it('names leagues and countries in Russian, in the order of the Russian alphabet', async () => {
      const { text } = await get('?lang=ru');
      const [, countries] = text.split('По странам');
      assert.match(textOf(countries!), /Международные 2 .*Англия 1 .*Германия 1 .*Италия 2 .*Россия 1/);
      assert.match(text, /<b>Английская Премьер-лига<\/b>/);
    });

    it('counts the leagues of each sport in a strip, and shows one sport', async () => {
      const { text } = await get('?sport=football');
      assert.match(textOf(text), /All 7 Football 5 Basketball 1 Handball 1/);
      assert.match(text, /<a href="leagues\?sport=football" aria-current="true">/);
      assert.doesNotMatch(text, /Euroleague/);
      assert.deepEqual(await listed('?sport=basketball'), ['Euroleague']);
      assert.match((await get('?sport=darts')).text, /The catalogue has no matches of this sport yet: Darts\./);
    });

    it('leaves a demo league out of the menus when its last match is older than a day', async () => {
      const strip = async () => textOf((await get()).text.split('class="tabs"')[1]!.split('</nav>')[0]!);
      // The favourites stand above the leagues.
      const frontPage = async () =>
        (await (await fetch(`${site.url}/`)).text()).split('id="leagues"')[1]!.split('</nav>')[1]!;
      await harness.pool.query("UPDATE tournament SET demo = true WHERE name = 'Euroleague'");
      const { rows } = await harness.pool.query<{ id: number; scheduled_start: Date }>(
        "SELECT m.id, m.scheduled_start FROM match m JOIN tournament t ON t.id = m.tournament_id WHERE t.name = 'Euroleague'",
      );
      const { id, scheduled_start } = rows[0]!;
      const move = async (to: Date) => {
        await harness.pool.query('UPDATE match SET scheduled_start = $2 WHERE id = $1', [id, to]);
        await restart();
      };
      await move(new Date(NOW - 23 * 3_600_000));
      assert.match(await strip(), /Basketball 1/);
      assert.match(await frontPage(), /Euroleague/);
      await move(new Date(NOW - 25 * 3_600_000));
      assert.match(await strip(), /All 6 Football 5 Handball 1$/);
      assert.doesNotMatch(await frontPage(), /Euroleague/);
      await harness.pool.query("UPDATE tournament SET demo = false WHERE name = 'Euroleague'");
      await restart();
      assert.match(await strip(), /Basketball 1/, 'a real league stays, however old its matches are');
      await move(scheduled_start);
    });

    it('finds words of names and countries in both languages, and says if nothing fits', async () => {
      assert.deepEqual(await listed('?q=ENGLAND+league'), ['Premier League']);
      assert.deepEqual(await listed(`?q=${encodeURIComponent('премьер англия')}`), ['Premier League']);
      assert.deepEqual(await listed('?q=zvezdnaya'), ['Звёздная лига']);
      assert.deepEqual(await listed('?q=serie'), ['Serie A', 'Serie B']);
      assert.deepEqual(await listed('?q=%25'), []);
      assert.deepEqual(await listed('?country=IT'), ['Serie A', 'Serie B']);
      assert.deepEqual(await listed('?country=XX'), []);
      const { text } = await get('?q=nobody&sport=football');
      assert.match(text, /No league fits “nobody”\./);
      assert.match(text, /<a href="leagues\?sport=football">All leagues<\/a>/);
    });

    it('answers hostile queries clearly', async () => {
      assert.equal((await get(`?q=${'a'.repeat(8_000)}`)).status, 200);
      const { text } = await get(`?q=${encodeURIComponent('"><script>alert(1)</script>\u0007')}`);
      assert.doesNotMatch(text, /<script>/);
      for (const [query, message] of [
        ['?q=%00', /q: must not contain NUL/],
        ['?q=a&q=b', /q: /],
        ['?sport=quidditch', /sport: must be one of football/],
        ['?page=0', /page: must be an integer from 1 to 1000/],
        ['?page=1001', /page: must be an integer from 1 to 1000/],
      ] as const) {
        const { status, text: problem } = await get(query);
        assert.equal(status, 422, query);
        assert.match(problem, message);
        assert.match(problem, /<nav class="sections"/, 'the problem is a page');
      }
    });

    it('continues on a second page after 500 leagues', async () => {
      await harness.pool.query(
        `WITH made AS (INSERT INTO tournament (sport, country, name, key, gender)
           SELECT 'football', 'FR', 'Ligue ' || n, 'ligue ' || n, 'men' FROM generate_series(1, 501) n RETURNING id)
         INSERT INTO match OVERRIDING SYSTEM VALUE SELECT (jsonb_populate_record(NULL::match, to_jsonb(m) || jsonb_build_object('id', 100000 + made.id, 'tournament_id', made.id))).*
         FROM made, (SELECT * FROM match ORDER BY id LIMIT 1) m`,
      );
      await restart();
      assert.equal((await listed('?q=ligue')).length, 500);
      assert.match((await get('?q=ligue')).text, /<a href="leagues\?q=ligue&amp;page=2">Next →<\/a>/);
      assert.equal((await listed('?q=ligue&page=2')).length, 1);
      assert.match((await get('?q=ligue&page=2')).text, /<a href="leagues\?q=ligue">← Previous<\/a>/);
      assert.match((await get('?q=ligue&page=3')).text, /No league fits “ligue”/);
    });
  });
});
