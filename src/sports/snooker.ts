import { defineSport } from './sport.ts';

export const snooker = defineSport({
  id: 12,
  slug: 'snooker',
  name: 'Snooker',
  name_ru: 'Снукер',
  takeoverMinutes: 15,
  awaitingAfterStart: 1440,
  awaitingAfterSilence: 960,
  usualMinutes: 180,
  score: { countedBy: 'set_end' },
  incidents: ['point', 'set_end'],
  blocks: ['points_history'],
  draws: false,
  // A draw is rare or ruled out, so unbeaten would be the same as won.
  trends: ['won', 'lost'],
});
