import assert from 'node:assert/strict';
import { sumCorrections } from '../../src/corrections/standing-corrections.ts';

describe('several corrections to one match', () => {
  const sum = (...fields: Parameters<typeof sumCorrections>[0][number]['fields'][]) =>
    sumCorrections(fields.map((one) => ({ fields: one, players: {} }))).fields;

  it('give each field its newest value', () => {
    assert.deepEqual(sum({ status: 'live' }, { venue_id: 3 }, { venue_id: null }), { status: 'live', venue_id: null });
  });

  it('replace fields that belong together as a whole', () => {
    assert.deepEqual(sum({ status: 'finished', status_detail: 'cancelled' }, { status: 'live' }), { status: 'live' });
  });

  it('drop periods that do not add up to the score, and keep them if they do', () => {
    const period_scores = [{ period: '1H', home: 2, away: 1 }];
    const score = { home_score: 2, away_score: 1 };
    assert.deepEqual(sum({ ...score, period_scores }, score), { ...score, period_scores });
    assert.deepEqual(sum({ ...score, period_scores }, { ...score, home_score: 3 }), { ...score, home_score: 3 });
  });
});
