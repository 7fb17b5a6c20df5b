import assert from 'node:assert/strict';
import { findStoredMatch } from '../../../src/matches/index.ts';
import type { PageCard } from '../../../src/web/match-analytics/load-card.ts';
import { matchView } from '../../../src/web/match-page/match-view.ts';
import { winProbabilityPart } from '../../../src/web/match-page/win-probability.ts';
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

  it('is our line after the match, even if a provider has sent chances', async () => {
    const id = await rated('own');
    const given = { win_probability: { homeWin: 90, draw: 6, awayWin: 4 } };
    const over = { status: 'finished', status_detail: 'ended', minute: null, ...given } as const;
    await score('own', 1, 0, 90, { ...over, incidents: [goal('g', 'home', 20, 'Scorer', [1, 0])] });
    const after = (await part(id))!;
    assert.match(after, /<svg class="chart"/);
    assert.match(after, /Computed by our model/);
    assert.doesNotMatch(after, /90 %/);
    assert.match((await part(id, 'ru'))!, /Рассчитано нашей моделью/);
  });

  it('is no line after a match with a goal at an unknown minute, and none for a result that will never come', async () => {
    const ended = { status: 'finished', status_detail: 'ended', minute: null } as const;
    for (const [name, incidents] of [
      ['unknown minute', [{ ...goal('g', 'home', 1, 'Scorer', [1, 0]), minute: null }]],
      ['missing goal', []],
    ] as const) {
      const id = await rated(name);
      await score(name, 1, 0, 90, { ...ended, incidents });
      assert.doesNotMatch((await part(id))!, /chart/, name);
    }
    const id = await rated('abandoned');
    await score('abandoned', 0, 0, 20, { ...ended, status_detail: 'abandoned' });
    assert.doesNotMatch((await part(id))!, /chart/);
  });

  it('follows from the forecast if no rates were stored before the match', async () => {
    const id = await harness.apply('late', { home: { name: 'late <b>' }, away: { name: 'late away' } });
    const over = { status: 'finished', status_detail: 'ended', minute: null } as const;
    await score('late', 0, 1, 90, { ...over, incidents: [goal('g', 'away', 70, 'Scorer', [0, 1])] });
    assert.doesNotMatch((await part(id))!, /chart/);
    const card = { model: { calibrated: { expected_goals: { home: 1.6, away: 1.1, total: 2.7 } } }, rating: null };
    const data = await findStoredMatch(harness.pool, id, ['incidents']);
    const view = matchView(data!, data!.blocks, { lang: 'en', root: '', now: 0 });
    assert.match(winProbabilityPart(view, card as PageCard).text, /<svg class="chart"/);
    const cup = { model: null, rating: null, expected: { home: 1.4, away: 1.4 } };
    assert.match(winProbabilityPart(view, cup as PageCard).text, /<svg class="chart"/, 'a cup match without a model');
    const { expected: _, ...bare } = cup;
    assert.doesNotMatch(winProbabilityPart(view, bare as PageCard).text, /chart/);
    const other = { ...view, item: { ...view.item, sport: 'handball' } };
    assert.doesNotMatch(winProbabilityPart(other, card as PageCard).text, /chart/);
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
