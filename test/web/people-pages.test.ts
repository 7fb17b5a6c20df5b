/** The pages of venues, referees and coaches. */
import assert from 'node:assert/strict';
import { createHarness, type Harness, playing, type Site } from './site.ts';

describe('the pages of venues, referees and coaches', function () {
  this.timeout(60_000);
  let harness: Harness;
  let site: Site;
  let match: string;

  before(async () => {
    harness = await createHarness();
    site = await harness.start({ env: { PUBLIC_SITE: '1' } });
    const id = await harness.apply('final', {
      ...playing('Red Stars', 'Blue Moons', [2, 1], 90),
      tournament: { name: 'River Cup', name_ru: 'Кубок реки', country: 'GB-ENG' },
      status: 'finished',
      status_detail: 'ended',
      venue: { name: 'The Meadow', city: 'Oxbow', country: 'GB-ENG', capacity: 12_345 },
      referee: 'Ada Whistle',
      lineups: [
        { side: 'home', player: { id: 'al', name: 'Al Post' }, position: 'G', shirt_number: '1', is_substitute: false },
      ],
      coaches: [
        { side: 'home', coach_name: 'Mo Plan', coach_name_ru: 'Мо План' },
        { side: 'away', coach_name: 'Jo Board' },
      ],
    });
    match = await page(`match/${id}?tab=lineups`);
  });
  after(() => harness.drop());

  async function page(path: string): Promise<string> {
    const reply = await fetch(new URL(path, `${site.url}/`));
    assert.equal(reply.status, 200, path);
    return reply.text();
  }
  /** Returns the path to which the match page links. */
  function linked(kind: string): string {
    const [, path] = new RegExp(`href="[./]*(${kind}/\\d+/[^"]+)"`).exec(match) ?? [];
    assert.ok(path !== undefined, `no link to a ${kind}: ${match}`);
    return path;
  }

  for (const [kind, name, fact, factRu] of [
    ['venue', 'The Meadow', '12,345', '12 345'],
    ['referee', 'Ada Whistle', 'Referee', 'Судья'],
    ['coach', 'Mo Plan', 'Coach', 'Тренер'],
  ] as const)
    it(`has the page of a ${kind}, to which the match links`, async () => {
      const path = linked(kind);
      const [english, russian] = [await page(path), await page(`${path}?lang=ru`)];
      for (const text of [name, fact, 'Red Stars', 'Blue Moons', 'River Cup'])
        assert.ok(english.includes(text), `${text}: ${english}`);
      for (const text of [factRu, 'Кубок реки'])
        assert.ok(russian.replaceAll('\u00a0', ' ').includes(text), `${text}: ${russian}`);
      if (kind === 'coach') assert.ok(russian.includes('Мо План'));
    });

  it('answers 404 for an unknown id', async () => {
    for (const path of ['venue/999999', 'referee/999999', 'coach/999999'])
      assert.equal((await fetch(new URL(path, `${site.url}/`))).status, 404, path);
  });
});
