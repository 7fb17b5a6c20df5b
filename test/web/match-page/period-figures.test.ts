/** Figures of periods alone, and results that kicks have decided. */
import assert from 'node:assert/strict';
import { findResult } from '../../../src/web/match-analytics/forecast.ts';
import type { MatchView } from '../../../src/web/match-page/match-view.ts';
import { statisticsPart } from '../../../src/web/match-page/statistics.ts';

const view = (sport: string, more: object, blocks: object = {}): MatchView => {
  const side = (name: string, score: number) => ({ side: name, score, name, name_ru: null, participant_id: 1 });
  const item = {
    sport,
    status: 'finished',
    status_detail: 'ended',
    participants: [side('home', 20), side('away', 20)],
    ...more,
  };
  return { item, blocks, lang: 'en', names: { home: 'Home', away: 'Away' } } as unknown as MatchView;
};
const figure = (period: string, home: number) => ({
  period,
  group_name: null,
  stat_name: 'Shots',
  home_value: home,
  away_value: 1,
  home_text: null,
  away_text: null,
});

describe('statistics of periods', () => {
  it('are shown if there are none of the whole match, and left out otherwise', () => {
    const halves = [figure('1H', 2), figure('2H', 5)];
    const alone = statisticsPart(view('football', {}, { statistics: halves })).text.replaceAll(/<[^>]+>/g, ' ');
    assert.match(alone, /First half\s+Shots\s+2\s+1\s+Second half\s+Shots\s+5\s+1/);
    const whole = statisticsPart(view('football', {}, { statistics: [...halves, figure('ALL', 7)] })).text;
    assert.match(whole, /<dd class="home">7</);
    assert.doesNotMatch(whole, /<h3>|<dd class="home">2</);
    assert.match(statisticsPart(view('football', {})).text, /hidden/);
  });
});

describe('the result for a forecast', () => {
  const kicks = { extra: { period_scores: [{ period: 'PEN', home: 3, away: 4 }] }, status_detail: 'after_penalties' };
  const winner = { extra: { period_scores: [], shootout_winner: 'home' }, status_detail: 'after_penalties' };

  it('counts kicks in rugby, and is a draw in football', () => {
    assert.deepEqual(findResult(view('rugby', kicks)), { home: 20, away: 21 });
    assert.deepEqual(findResult(view('rugby', winner)), { home: 21, away: 20 });
    assert.deepEqual(findResult(view('football', kicks)), { home: 20, away: 20 });
    assert.deepEqual(findResult(view('football', winner)), { home: 20, away: 20 });
  });

  it('is a draw if nothing has decided a level match, and unknown for an abandoned one', () => {
    const level = { extra: { period_scores: [] } };
    assert.deepEqual(findResult(view('rugby', level)), { home: 20, away: 20 });
    assert.equal(findResult(view('rugby', { ...level, status_detail: 'abandoned' })), null);
  });
});
