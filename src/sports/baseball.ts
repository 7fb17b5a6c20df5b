import { defineSport } from './sport.ts';

export const baseball = defineSport({
  id: 5,
  slug: 'baseball',
  name: 'Baseball',
  name_ru: 'Бейсбол',
  takeoverMinutes: 10,
  awaitingAfterStart: 600,
  awaitingAfterSilence: 240,
  usualMinutes: 180,
  starters: 9,
  score: { countedBy: 'point' },
  incidents: ['point'],
  draws: false,
  // A draw is rare or ruled out, so unbeaten would be the same as won.
  trends: ['won', 'lost'],
});
