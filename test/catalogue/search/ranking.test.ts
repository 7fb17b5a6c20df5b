/** Tests the search's pure parts: how a query is interpreted, how hits are ordered, and how a search is evaluated. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Answer, missLines, scoreAnswers } from '../../../src/catalogue/search/evaluation-scores.ts';
import { type Candidate, QUALITY, Ranking } from '../../../src/catalogue/search/ranking.ts';
import { buildSpellings } from '../../../src/catalogue/search/spellings.ts';

const candidate = (id: number, quality: number, prominence: number, of: Partial<Candidate> = {}): Candidate => ({
  id,
  quality,
  prominence,
  gender: 'men',
  isOwnName: null,
  isNation: false,
  sport: 'football',
  kind: 'team',
  ...of,
});
const ranked = (...candidates: Candidate[]) => {
  const ranking = new Ranking();
  ranking.add(candidates, false);
  return ranking.ranked();
};
const order = (...candidates: Candidate[]) => ranked(...candidates).map(({ id }) => id);

describe('search ranking', () => {
  it('puts a surname’s best known bearer first, and a full name’s owner first even if little known', () => {
    assert.deepEqual(order(candidate(1, QUALITY.exact, 0), candidate(2, QUALITY.trailing, 0.9)), [2, 1]);
    assert.deepEqual(order(candidate(1, QUALITY.exact, 0), candidate(2, QUALITY.similar, 0.6)), [1, 2]);
  });

  it('treats the most prominent entity as 40 times as likely to be meant as an unknown one', () => {
    const [first, second] = ranked(candidate(1, 1, 0), candidate(2, 1, 1));
    assert.equal(first!.relevance, 1);
    assert.ok(Math.abs(second!.relevance - (1 / 40) ** 0.25) < 1e-9);
  });

  it('puts an entity shown under the name before an entity with that alias, and men before women unless only women have the name', () => {
    const women = { gender: 'women' };
    assert.deepEqual(
      order(candidate(1, 1, 0.5, { isOwnName: false }), candidate(2, 1, 0.5, { isOwnName: true })),
      [2, 1],
    );
    assert.deepEqual(order(candidate(1, 1, 0.6, women), candidate(2, 1, 0.5)), [2, 1]);
    assert.deepEqual(order(candidate(1, 1, 0.6, women), candidate(2, QUALITY.prefix[1], 0.8)), [1, 2]);
    const ranking = new Ranking();
    ranking.add([candidate(1, 1, 0.6, women)], true);
    ranking.add([candidate(2, 1, 0.5)], false);
    assert.equal(ranking.ranked()[0]!.id, 1, 'the query says women');
  });

  it('puts football before a sport that the query does not mention, unless only that sport has the name', () => {
    const basketball = { sport: 'basketball' };
    assert.deepEqual(order(candidate(1, 1, 0.7, basketball), candidate(2, 1, 0.45)), [2, 1]);
    assert.deepEqual(order(candidate(1, 1, 0.7, basketball), candidate(2, 1, 0.2)), [1, 2], 'far better known');
    assert.deepEqual(order(candidate(1, 1, 0.6, basketball), candidate(2, QUALITY.trailing, 0.6)), [1, 2]);
    const player = { kind: 'player' };
    assert.deepEqual(order(candidate(1, 0.5, 0.6, basketball), candidate(2, 0.5, 0.55, player)), [1, 2]);
  });

  it('weights an alias less than an entity’s own name, and a country’s name more than a first name', () => {
    const [own, alias] = [{ isOwnName: true }, { isOwnName: false }];
    assert.deepEqual(order(candidate(1, 1, 0.8, alias), candidate(2, 1, 0.7, own)), [2, 1]);
    assert.deepEqual(order(candidate(1, 1, 0.8, alias), candidate(2, QUALITY.trailing, 0.95)), [1, 2]);
    assert.deepEqual(order(candidate(1, QUALITY.leading, 0.9), candidate(2, 1, 0.6, own)), [1, 2]);
    assert.deepEqual(
      order(candidate(1, QUALITY.leading, 0.9), candidate(2, 1, 0.6, { ...own, isNation: true })),
      [2, 1],
    );
  });

  it('lists each entity once, with relevances from 1 down to 0, whatever the order of hits', () => {
    const one = fc.record({
      id: fc.integer({ min: 1, max: 9 }),
      quality: fc.double({ min: 0.01, max: 1, noNaN: true }),
      prominence: fc.double({ min: 0, max: 1, noNaN: true }),
      gender: fc.constant('men'),
      isOwnName: fc.constantFrom(true, false, null),
      isNation: fc.boolean(),
      sport: fc.constantFrom('football', 'basketball'),
      kind: fc.constantFrom('team', 'player'),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1 }), (candidates) => {
        const hits = ranked(...candidates);
        assert.equal(hits.length, new Set(candidates.map(({ id }) => id)).size);
        for (const { relevance } of hits) assert.ok(relevance >= 0 && relevance <= 1);
        const relevances = hits.map(({ relevance }) => relevance);
        assert.deepEqual(
          relevances,
          relevances.toSorted((a, b) => b - a),
        );
        assert.deepEqual(
          ranked(...candidates.toReversed()).map(({ id }) => id),
          hits.map(({ id }) => id),
        );
      }),
    );
  });
});

describe('query interpretations', () => {
  const typed = (query: string) => buildSpellings(query).typed;

  it('have variants without the words for women, national teams and clubs', () => {
    assert.deepEqual(typed('USA women'), [
      { text: 'usa women', weight: 1 },
      { text: 'usa', weight: 0.95, gender: 'women' },
    ]);
    assert.deepEqual(typed('сборная Франции').slice(1), [
      { text: 'frantsii', weight: 0.95, isNational: true },
      { text: 'frants', weight: 0.95, isNational: true },
    ]);
    assert.deepEqual(typed('Juventus FC')[1], { text: 'juventus', weight: 0.95 });
    assert.equal(typed('women').length, 1, 'nothing else is left');
  });

  it('include the second keyboard layout, even after a likely hit if the query has marks that are letters in it', () => {
    assert.deepEqual(buildSpellings('cgfhnfr').swapped, [{ text: 'spartak', weight: 0.95 }]);
    assert.equal(buildSpellings('gc;').mayBeSwapped, true);
    assert.equal(buildSpellings('cgfhnfr').mayBeSwapped, false);
    assert.deepEqual(buildSpellings('НБА').swapped, [], 'single letters begin words of many names');
  });

  it('are few and short for every query', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (query) => {
        const { typed, swapped } = buildSpellings(query);
        assert.ok(typed.length <= 3 && swapped.length <= 1);
        for (const { text } of [...typed, ...swapped])
          for (const word of text.split(' ')) assert.ok(word.length >= 1 && word.length <= 40, query);
      }),
    );
  });
});

describe('search evaluation', () => {
  const answer = (query: string, place: number | null, found: number, milliseconds: number): Answer => ({
    query,
    category: 'all of them',
    place,
    found,
    first: found === 0 ? null : 'Somebody',
    expected: 'Somebody else',
    milliseconds,
  });

  it('measures the hits in the first place and in the first three, the mean reciprocal rank, empty replies and the latency', () => {
    const answers = [answer('a', 1, 5, 1), answer('b', 2, 5, 2), answer('c', 4, 5, 3), answer('d', null, 0, 4)];
    assert.deepEqual(scoreAnswers(answers), {
      queries: 4,
      at1: 0.25,
      at3: 0.5,
      reciprocalRank: (1 + 1 / 2 + 1 / 4) / 4,
      empty: 1,
      p50: 3,
      p99: 4,
    });
    assert.deepEqual(missLines(answers), [
      'd (all of them): Somebody else not found; first: nothing',
      'c (all of them): Somebody else in place 4; first: Somebody',
      'b (all of them): Somebody else in place 2; first: Somebody',
    ]);
    assert.equal(scoreAnswers([]).at1, 0);
  });
});
