import { defineSport } from './sport.ts';

export const darts = defineSport({
  id: 13,
  slug: 'darts',
  name: 'Darts',
  name_ru: 'Дартс',
  takeoverMinutes: 10,
  awaitingAfterStart: 480,
  awaitingAfterSilence: 120,
  score: { countedBy: 'set_end' },
  incidents: ['point', 'set_end'],
  blocks: ['points_history'],
  draws: false,
  // A draw is rare or ruled out, so unbeaten would be the same as won.
  trends: ['won', 'lost'],
});
