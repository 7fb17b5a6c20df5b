import { defineSport } from './sport.ts';

export const volleyball = defineSport({
  id: 6,
  slug: 'volleyball',
  name: 'Volleyball',
  name_ru: 'Волейбол',
  takeoverMinutes: 5,
  awaitingAfterStart: 300,
  awaitingAfterSilence: 120,
  decidingPeriods: ['S5'],
  starters: 6,
  score: { countedBy: 'set_end' },
  incidents: ['point', 'set_end'],
  blocks: ['points_history'],
  draws: false,
  table: {
    points: { win: 3, draw: 0, loss: 0, overtime_win: 2, overtime_loss: 1 },
    tie_breaks: ['wins', 'goal_average'],
  },
  // A draw is rare or ruled out, so unbeaten would be the same as won.
  trends: ['won', 'lost'],
});
