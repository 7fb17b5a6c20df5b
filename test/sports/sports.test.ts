import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { SPORTS } from '../../src/sports/sports.ts';

const isDistinct = (values: readonly unknown[]) => new Set(values).size === values.length;

describe('the sports list', () => {
  it('has ids from 1 in order, and distinct slugs and names', () => {
    assert.deepEqual(
      SPORTS.map(({ id }) => id),
      SPORTS.map((_, index) => index + 1),
    );
    for (const key of ['slug', 'name', 'name_ru'] as const) assert.ok(isDistinct(SPORTS.map((sport) => sport[key])));
  });

  it('lists every file in the folder, and each file is named after the slug', () => {
    const files = readdirSync(new URL('../../src/sports/', import.meta.url));
    const shared = [
      'winner-sql',
      'margin-rating',
      'point-sports',
      'sport',
      'sports',
      'table-defaults',
      'score-units',
      'sport-words',
    ].map((name) => `${name}.ts`);
    assert.deepEqual(
      files.filter((file) => !shared.includes(file)).sort(),
      SPORTS.map(({ slug }) => `${slug}.ts`).sort(),
    );
  });

  it('names no incident, block or trend twice', () => {
    for (const { slug, incidents, blocks, trends } of SPORTS)
      for (const values of [incidents, blocks, trends]) assert.ok(isDistinct(values), slug);
  });

  it('names the incidents from which each sport’s score is computed', () => {
    for (const { slug, score, incidents } of SPORTS)
      assert.ok(score.countedBy === undefined || incidents.includes(score.countedBy), slug);
  });

  it('has exactly one sport whose goal model is fitted', () => {
    assert.equal(SPORTS.filter(({ goalModel }) => goalModel === 'fitted').length, 1);
  });
});
