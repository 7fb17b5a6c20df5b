import { defineSport } from './sport.ts';

export const cricket = defineSport({
  id: 15,
  slug: 'cricket',
  name: 'Cricket',
  name_ru: 'Крикет',
  takeoverMinutes: 15,
  awaitingAfterStart: 2880,
  awaitingAfterSilence: 1440,
  usualMinutes: 480,
  starters: 11,
  incidents: ['var', 'point'],
  unit: 'runs',
  trends: ['won', 'drawn', 'lost', 'unbeaten', 'winless'],
});
