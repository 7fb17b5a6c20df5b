import assert from 'node:assert/strict';
import sharp from 'sharp';
import { COUNTRIES } from '../../../src/wire/countries.ts';
import { createHarness, type Harness, playing, type Site } from '../site.ts';

describe('flags', () => {
  let harness: Harness;
  let site: Site;
  let url: string;
  before(async () => {
    harness = await createHarness();
    site = await harness.start();
    url = site.url;
  });
  after(async () => {
    await site.stop();
    await harness.drop();
  });

  it('exist for every country but former states, as small pictures', async function () {
    this.timeout(30_000);
    const without: string[] = [];
    for (const { iso } of COUNTRIES) {
      const reply = await fetch(`${url}/flags/${iso}`);
      const bytes = Buffer.from(await reply.arrayBuffer());
      if (reply.status === 404) without.push(iso);
      else {
        const { width, height, format } = await sharp(bytes).metadata();
        assert.deepEqual([reply.status, width, height, format], [200, 40, 30, 'png'], iso);
        assert.ok(bytes.length < 2_500, `${iso}: ${bytes.length}`);
      }
    }
    assert.deepEqual(without.sort(), ['AN', 'CS', 'DD', 'INT', 'SU', 'VD', 'YD', 'YU']);
  });

  it('are kept by caches for 30 days, and only known codes are drawn', async () => {
    const { headers } = await fetch(`${url}/flags/FR`);
    assert.deepEqual(
      [headers.get('cache-control'), headers.get('cache-tag')],
      ['public, max-age=2592000', 'touchline'],
    );
    for (const bad of ['fr', 'XYZ', '..%2Fpackage', 'constructor'])
      assert.equal((await fetch(`${url}/flags/${bad}`)).status, 422, bad);
    assert.equal((await fetch(`${url}/flags/QQ`)).status, 404);
  });

  it('stand beside the country’s name, and a league without a country has none', async () => {
    const id = await harness.apply('flagged', {
      ...playing('Red Stars', 'Blue Moons', [0, 0], 1),
      tournament: { name: 'Ligue 1', country: 'FR' },
    });
    const page = async (path: string) => (await fetch(`${url}/${path}`)).text();
    const front = await page('');
    assert.match(
      front,
      /<small><img class="flag" src="flags\/FR\?v=[\d.]+" alt="" width="20" height="15" loading="lazy"> France<\/small>/,
    );
    const [, league] = /href="\.\.\/(league\/[^"?]+|tournament\/[^"?]+)/.exec(await page(`match/${id}`))!;
    assert.match(await page(league!), /<p class="facts"><img class="flag" src="(\.\.\/)+flags\/FR\?v=/);
    await harness.apply('unflagged', {
      ...playing('Red Stars', 'Blue Moons', [0, 0], 1),
      tournament: { name: 'World Cup of Clubs', country: 'INT' },
    });
    assert.doesNotMatch(await page(''), /flags\/INT/);
  });
});
