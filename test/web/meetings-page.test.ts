import assert from 'node:assert/strict';
import { createHarness, type Harness, type Site } from './site.ts';

const NOW = Date.parse('2025-05-24T12:00:00Z');
const DAY_MS = 86_400_000;

describe('the page of meetings', () => {
  let harness: Harness;
  let site: Site;
  const ids: Record<string, number> = {};
  const play = (id: string, home: string, away: string, days: number, score: [number, number] | null, more = {}) =>
    harness.apply(id, {
      tournament: { name: 'Derby League', name_ru: 'Лига дерби', country: 'INT' },
      home: { name: home, ...(home === 'Reds' && { name_ru: 'Красные' }) },
      away: { name: away, ...(away === 'Reds' && { name_ru: 'Красные' }) },
      scheduled_start: new Date(NOW + days * DAY_MS).toISOString(),
      ...(score && { status: 'finished', status_detail: 'ended', score: { home: score[0], away: score[1] } }),
      ...more,
    });
  before(async () => {
    harness = await createHarness();
    site = await harness.start({ clock: { now: () => NOW } });
    await play('m1', 'Reds', 'Blues', -500, [2, 0]);
    await play('m2', 'Blues', 'Reds', -400, [1, 3]);
    await play('m3', 'Reds', 'Blues', -300, [1, 1]);
    await play('m4', 'Reds', 'Blues', -200, [0, 4]);
    await play('m5', 'Blues', 'Reds', 10, null);
    await play('m6', 'Reds', 'Greens', -100, [1, 0]);
    await play('m7', 'Dunkers', 'Shooters', -100, [80, 70], { sport: 'basketball' });
    for (let index = 0; index < 51; index += 1) await play(`n${index}`, 'Norths', 'Souths', -index - 1, [1, 0]);
    const { rows } = await harness.pool.query<{ name: string; id: number }>('SELECT name, id FROM participant');
    for (const { name, id } of rows) ids[name] = id;
  });
  after(() => harness.drop());

  const get = async (query: string) => {
    const response = await fetch(`${site.url}/meetings${query}`, { headers: { 'Accept-Language': 'en' } });
    return { status: response.status, text: await response.text() };
  };
  const section = (text: string, id: string) => text.slice(text.indexOf(`id="${id}"`)).split('</section>')[0]!;
  const textOf = (markup: string) =>
    markup
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();

  it('counts wins, draws and goals from the first team’s view, and lists all matches, newest first', async () => {
    const { status, text } = await get(`?first=${ids.Reds}&second=${ids.Blues}`);
    assert.equal(status, 200);
    assert.match(text, /<h1>Reds – Blues<\/h1>/);
    assert.match(
      textOf(section(text, 'summary')),
      /2 wins Reds 1 draw 1 win Blues .*Matches with a result: 4 · Goals: 6–6/,
    );
    const starts = [...section(text, 'list').matchAll(/<time datetime="(\d{4}-\d\d-\d\d)/g)].map(([, day]) => day!);
    assert.equal(starts.length, 5);
    assert.deepEqual(starts, starts.toSorted().reverse());
    const other = await get(`?first=${ids.Blues}&second=${ids.Reds}&lang=ru`);
    assert.match(textOf(section(other.text, 'summary')), /1 победа Blues 1 ничья 2 победы Красные/);
    assert.match(section(other.text, 'list'), /Лига дерби/);
  });

  it('continues on a second page after 50 meetings', async () => {
    const pair = `?first=${ids.Norths}&second=${ids.Souths}`;
    const rows = (text: string) => text.match(/<li class="match"/g)?.length ?? 0;
    const first = await get(pair);
    assert.equal(rows(first.text), 50);
    assert.match(textOf(first.text), /1–50 of 51 Older →/);
    const second = await get(`${pair}&page=2`);
    assert.equal(rows(second.text), 1);
    assert.match(textOf(second.text), /← Newer 51–51 of 51/);
    assert.match(textOf(section(second.text, 'summary')), /51 wins Norths/, 'the summary counts all pages');
    assert.equal(rows((await get(`${pair}&page=3`)).text), 0);
  });

  it('says if two teams have not met, or play different sports', async () => {
    assert.match((await get(`?first=${ids.Blues}&second=${ids.Greens}`)).text, /have not met in any match/);
    assert.match((await get(`?first=${ids.Blues}&second=${ids.Dunkers}`)).text, /play different sports/);
  });

  it('has no draws in a sport without draws', async () => {
    const { text } = await get(`?first=${ids.Dunkers}&second=${ids.Shooters}`);
    assert.match(textOf(section(text, 'summary')), /1 win Dunkers 0 wins Shooters .*Points: 80–70/);
  });

  it('finds teams by name, and offers for the second only other teams of the same sport', async () => {
    const one = await get('?first_name=reds&second_name=blues');
    assert.match(one.text, new RegExp(`<a href="meetings\\?first=${ids.Reds}&amp;second_name=blues">`));
    assert.match(one.text, new RegExp(`<a href="meetings\\?second=${ids.Blues}&amp;first_name=reds">`));
    const two = await get(`?first=${ids.Reds}&second_name=blues`);
    assert.match(two.text, new RegExp(`<a href="meetings\\?first=${ids.Reds}&amp;second=${ids.Blues}">`));
    assert.match(two.text, /<b>Reds<\/b>\s*<a href="meetings">Change<\/a>/);
    assert.match((await get(`?first=${ids.Reds}&second_name=reds`)).text, /No team fits “reds”/);
    assert.match((await get(`?first=${ids.Reds}&second_name=dunkers`)).text, /No team fits “dunkers”/);
    assert.match((await get('?first_name=r')).text, /Type at least two characters/);
  });

  it('answers wrong and hostile queries clearly', async () => {
    for (const [query, status, message] of [
      [`?first=${ids.Reds}&second=${ids.Reds}`, 422, /second: must be another team/],
      [`?first=${ids.Reds}&second=999999`, 404, /nothing at this address/],
      ['?first=x', 422, /first: must be an integer/],
      [`?first=${ids.Reds}&first=${ids.Blues}`, 422, /first: must be given only once/],
      ['?first_name=%00', 422, /first_name: must not contain NUL/],
      ['?page=0', 422, /page: must be an integer/],
      [`?first_name=${'a'.repeat(8_000)}`, 200, /No team fits/],
      [`?first_name=${encodeURIComponent('"><script>alert(1)</script>')}`, 200, /&lt;script&gt;/],
    ] as const) {
      const reply = await get(query);
      assert.equal(reply.status, status, query);
      assert.match(reply.text, message, query);
      assert.doesNotMatch(reply.text, /<script>/);
    }
  });
});
