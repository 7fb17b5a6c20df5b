import { defineSport } from './sport.ts';

export const esports = defineSport({
  id: 17,
  slug: 'esports',
  name: 'Esports',
  name_ru: 'Киберспорт',
  takeoverMinutes: 10,
  awaitingAfterStart: 720,
  awaitingAfterSilence: 240,
  usualMinutes: 180,
  draws: false,
  // A draw is rare or ruled out, so unbeaten would be the same as won.
  trends: ['won', 'lost'],
});
