import assert from 'node:assert/strict';
import { rateMatch } from '../../support/rates.ts';
import { createHarness, goal, type Harness, playing } from '../site.ts';

describe('win probability on the match page', () => {
  let harness: Harness;
  before(async () => {
    harness = await createHarness();
  });
  after(() => harness.drop());

  const part = async (id: number, lang: 'en' | 'ru' = 'en') => {
    const page = await harness.matchPage(id, lang, null);
    return /<section id="chances"[\s\S]*?<\/section>/.exec(page)?.[0];
  };
  const rated = async (name: string) => {
    const id = await harness.apply(name, { home: { name: `${name} <b>` }, away: { name: `${name} away` } });
    await rateMatch(harness.pool, id, Date.now());
    return id;
  };
  const score = (name: string, home: number, away: number, minute: number, more = {}) =>
    harness.apply(name, playing(`${name} <b>`, `${name} away`, [home, away], minute, more));

  it('is a bar before the start, and during the match also a line with a mark for each goal', async () => {
    const id = await rated('line');
    const before = await part(id);
    assert.match(before!, /<b>43 %<\/b>/);
    assert.doesNotMatch(before!, /class="chart"/);
    await score('line', 0, 1, 50, { incidents: [goal('g', 'away', 20, 'Scorer', [0, 1])] });
    const during = (await part(id))!;
    assert.match(during, /<svg class="chart"/);
    assert.equal(during.match(/<circle class="away"/g)?.length, 1);
    assert.match(during, /Upper area: line &lt;b&gt;\. Lower area: line away/);
    assert.match((await part(id, 'ru'))!, /Верхняя область: line &lt;b&gt;\. Нижняя: line away/);
  });

  it('stays as a line after the match, without the bar', async () => {
    const id = await rated('over');
    await score('over', 1, 0, 70, { incidents: [goal('g', 'home', 20, 'Scorer', [1, 0])] });
    await harness.apply('over', {
      home: { name: 'over <b>' },
      away: { name: 'over away' },
      status: 'finished',
      status_detail: 'ended',
      score: { home: 1, away: 0 },
    });
    const after = (await part(id))!;
    assert.match(after, /<svg class="chart"/);
    assert.doesNotMatch(after, /class="share"/);
  });

  it('has no line if a provider gives the probability, because the computed line would contradict it', async () => {
    const id = await rated('given');
    await score('given', 0, 0, 30, { win_probability: { homeWin: 90, draw: 6, awayWin: 4 } });
    const given = (await part(id))!;
    assert.match(given, /<b>90 %<\/b>/);
    assert.doesNotMatch(given, /class="chart"/);
  });

  it('has room for 40 goals', async () => {
    const id = await rated('many');
    const incidents = Array.from({ length: 40 }, (_, index) =>
      goal(`g${index}`, 'home', index + 1, 'Scorer', [index + 1, 0]),
    );
    await score('many', 40, 0, 45, { incidents });
    const many = (await part(id))!;
    assert.equal(many.match(/<circle class="home"/g)?.length, 40);
    assert.doesNotMatch(many, /NaN|undefined/);
  });
});
