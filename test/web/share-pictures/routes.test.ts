import assert from 'node:assert/strict';
import sharp from 'sharp';
import { feedLeague, LEAGUE, STAR } from '../sample-league.ts';
import { createHarness, goal, type Harness, playing, type Site } from '../site.ts';

const NOW = Date.parse('2025-05-24T12:00:00Z');

describe('pictures for shared links', () => {
  let harness: Harness;
  let site: Site;
  let ids: Record<string, number>;
  before(async () => {
    harness = await createHarness();
    site = await harness.start({ clock: { now: () => NOW } });
    await feedLeague(harness, NOW);
    const { rows } = await harness.pool.query<{ name: string; id: number }>(
      'SELECT name, id FROM participant WHERE person_id IS NULL UNION ALL SELECT name, id FROM tournament',
    );
    ids = Object.fromEntries(rows.map(({ name, id }) => [name, id]));
  });
  after(() => harness.drop());

  /** Returns the address of a page's picture, relative to the site. */
  async function pictureOf(page: string): Promise<string> {
    const text = await (await fetch(site.url + page)).text();
    const [, address = ''] = /<meta property="og:image" content="([^"]+)">/.exec(text) ?? [];
    assert.ok(address.startsWith(site.url), `${page}: ${address}`);
    return address.slice(site.url.length).replaceAll('&amp;', '&');
  }

  async function load(path: string) {
    const response = await fetch(site.url + path);
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, cacheControl: response.headers.get('cache-control'), bytes };
  }

  /** Returns the size of a picture, and the number of its colours that are not the ground's, in a small version. */
  async function look(bytes: Buffer) {
    const { width, height, format } = await sharp(bytes).metadata();
    return { width, height, format };
  }

  it('the pages of a match, team, player and tournament have one each, in the language of the page', async () => {
    const match = await harness.apply('shared', playing('Red Stars', 'Blue Moons', [0, 0], 10));
    const pages = [
      `/match/${match}`,
      `/team/${ids.Arsenal}`,
      `/player/${ids[STAR.name]}`,
      `/tournament/${ids[LEAGUE.name]}`,
    ];
    const seen = new Set<string>();
    for (const page of pages) {
      const { status, cacheControl, bytes } = await load(await pictureOf(page));
      assert.equal(status, 200, page);
      assert.deepEqual(await look(bytes), { width: 1_200, height: 630, format: 'png' }, page);
      assert.ok(bytes.length < 200_000, `${page}: ${bytes.length} bytes`);
      assert.equal(cacheControl, 'private, max-age=604800', page);
      const russian = await load(await pictureOf(`${page}?lang=ru`));
      assert.deepEqual([russian.status, russian.cacheControl], [200, 'private, max-age=604800'], page);
      for (const picture of [bytes, russian.bytes]) seen.add(picture.toString('base64'));
    }
    assert.equal(seen.size, 8, 'each page and language has a picture of its own');
  });

  it('after a goal the page names another address, and the former one is no longer kept', async () => {
    const match = await harness.apply('goals', playing('Green Suns', 'White Winds', [0, 0], 20));
    const before = await pictureOf(`/match/${match}`);
    const former = await load(before);
    await harness.apply(
      'goals',
      playing('Green Suns', 'White Winds', [1, 0], 21, { incidents: [goal('1', 'home', 21, 'Ана Рид', [1, 0])] }),
    );
    const address = await pictureOf(`/match/${match}`);
    assert.notEqual(address, before);
    const current = await load(address);
    assert.notDeepEqual(current.bytes, former.bytes);
    assert.equal(current.cacheControl, 'private, max-age=604800');
    const late = await load(before);
    assert.deepEqual(late.bytes, current.bytes);
    assert.match(late.cacheControl!, /^private, max-age=0/);
    assert.equal((await load(`/match/${match}/share.png`)).cacheControl, 'private, max-age=3600');
  });

  it('scorers, a shoot-out and a name that the font cannot draw have a picture too', async () => {
    const sides = ['الأهلي', 'Олимпийские чемпионы города Санкт-Петербурга имени Льва Толстого'] as const;
    const scorers = ['Ana Reed', 'Eve Ash', 'Kay Oak', 'Zoë Ünal', '山田'];
    const incidents = scorers.map((name, index) => goal(`${index}`, 'away', 10 + index, name, [0, index + 1]));
    const without = await harness.apply('names', playing(...sides, [0, 5], 30));
    const first = await load(await pictureOf(`/match/${without}`));
    await harness.apply('names', playing(...sides, [0, 5], 30, { incidents }));
    const withScorers = await load(await pictureOf(`/match/${without}`));
    assert.equal(withScorers.status, 200);
    assert.notDeepEqual(first.bytes, withScorers.bytes, 'the scorers are drawn');
  });

  it('a player whose figures no source gives has the last matches', async () => {
    const game = (id: string, score: [number, number]) =>
      harness.apply(id, {
        sport: 'basketball',
        tournament: { name: 'Hoop League', country: 'GB-ENG' },
        season: { label: '2025' },
        home: { name: 'Dunks' },
        away: { name: 'Rims' },
        status: 'finished',
        status_detail: 'ended',
        score: { home: score[0], away: score[1] },
        lineups: [
          {
            side: 'home',
            player: { name: 'Nik Hoop', birth_date: '2000-01-01', country: 'GB-ENG' },
            is_substitute: false,
          },
        ],
      });
    await game('hoop 1', [80, 70]);
    const { rows } = await harness.pool.query<{ id: number }>("SELECT id FROM participant WHERE name = 'Nik Hoop'");
    const path = `/player/${rows[0]!.id}`;
    const first = await load(await pictureOf(path));
    assert.equal(first.status, 200);
    await game('hoop 2', [91, 90]);
    assert.notDeepEqual((await load(await pictureOf(path))).bytes, first.bytes, 'the second match is drawn');
  });

  it('an unknown subject or season has none, and a closed site has none at all', async () => {
    for (const kind of ['match', 'team', 'player', 'tournament'])
      assert.equal((await load(`/${kind}/999999/share.png`)).status, 404, kind);
    assert.equal((await load(`/tournament/${ids[LEAGUE.name]}/share.png?season=999999`)).status, 404);
    assert.equal((await load(`/team/${ids.Arsenal}/share.png?language=de`)).status, 422);
    const closed = await harness.start({ env: { PUBLIC_SITE: '0' } });
    assert.equal((await fetch(`${closed.url}/team/${ids.Arsenal}/share.png`)).status, 404);
    await closed.stop();
  });

  it('only 20 new pictures are drawn in 20 s, while known ones are still served', async () => {
    const known = `/team/${ids.Arsenal}/share.png?language=ru`;
    const fresh = await harness.start({ clock: { now: () => NOW } });
    const status = async (path: string) => (await fetch(fresh.url + path)).status;
    assert.equal(await status(known), 200);
    const teams = (
      await harness.pool.query<{ id: number }>(
        "SELECT id FROM participant WHERE type = 'team' AND person_id IS NULL ORDER BY id",
      )
    ).rows;
    const paths = teams.flatMap(({ id }) =>
      ['en', 'ru'].map((language) => `/team/${id}/share.png?language=${language}`),
    );
    const wanted = paths.filter((path) => path !== known).slice(0, 21);
    assert.equal(wanted.length, 21, 'the sample has enough teams');
    const answers: number[] = [];
    for (const path of wanted) answers.push(await status(path));
    assert.ok(answers.includes(429), answers.join());
    assert.equal(answers.filter((one) => one === 200).length + answers.filter((one) => one === 429).length, 21);
    assert.equal(await status(known), 200);
    await fresh.stop();
  });
});
