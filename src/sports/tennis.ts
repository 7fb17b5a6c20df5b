import { defineSport } from './sport.ts';

export const tennis = defineSport({
  id: 4,
  slug: 'tennis',
  name: 'Tennis',
  name_ru: 'Теннис',
  takeoverMinutes: 10,
  awaitingAfterStart: 1440,
  awaitingAfterSilence: 360,
  usualMinutes: 150,
  score: { countedBy: 'set_end' },
  incidents: ['var', 'point', 'set_end'],
  blocks: ['points_history'],
  draws: false,
  // A draw is rare or ruled out, so unbeaten would be the same as won.
  trends: ['won', 'lost'],
});
