import assert from 'node:assert/strict';
import { sumCorrections } from '../../src/corrections/standing-corrections.ts';

describe('the sum of corrections', () => {
  const sum = (...fields: Parameters<typeof sumCorrections>[0][number]['fields'][]) =>
    sumCorrections(fields.map((one) => ({ fields: one, players: {} }))).fields;

  it('has each field’s newest value', () => {
    assert.deepEqual(sum({ status: 'live' }, { venue_id: 3 }, { venue_id: null }), { status: 'live', venue_id: null });
  });

  it('replaces fields that belong together as one', () => {
    assert.deepEqual(sum({ status: 'finished', status_detail: 'cancelled' }, { status: 'live' }), { status: 'live' });
  });

  it('drops periods that make a different score, and keeps them with the same score', () => {
    const period_scores = [{ period: '1H', home: 2, away: 1 }];
    const score = { home_score: 2, away_score: 1 };
    assert.deepEqual(sum({ ...score, period_scores }, score), { ...score, period_scores });
    assert.deepEqual(sum({ ...score, period_scores }, { ...score, home_score: 3 }), { ...score, home_score: 3 });
  });
});
