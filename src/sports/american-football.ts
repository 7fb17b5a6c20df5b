import { defineSport } from './sport.ts';

export const americanFootball = defineSport({
  id: 9,
  slug: 'american-football',
  name: 'American football',
  name_ru: 'Американский футбол',
  takeoverMinutes: 10,
  awaitingAfterStart: 360,
  awaitingAfterSilence: 120,
  usualMinutes: 210,
  score: { countedBy: 'point' },
  incidents: ['point'],
  draws: false,
  // A draw is rare or ruled out, so unbeaten would be the same as won.
  trends: ['won', 'lost'],
});
