import { defineSport, WITH_DRAWS } from './sport.ts';

export const handball = defineSport({
  id: 7,
  slug: 'handball',
  name: 'Handball',
  name_ru: 'Гандбол',
  takeoverMinutes: 5,
  awaitingAfterStart: 240,
  awaitingAfterSilence: 120,
  usualMinutes: 90,
  starters: 7,
  unit: 'goals',
  score: { periods: 2, countedBy: 'goal' },
  positionsRu: {
    gk: 'вратарь',
    lw: 'левый крайний',
    rw: 'правый крайний',
    lb: 'левый полусредний',
    rb: 'правый полусредний',
    cb: 'центральный',
    lp: 'линейный',
    p: 'линейный',
  },
  incidents: ['goal', 'penalty', 'penalty_shootout', 'card', 'suspension'],
  trends: [...WITH_DRAWS, 'won_by_5', 'lost_by_5', 'within_2'],
});
