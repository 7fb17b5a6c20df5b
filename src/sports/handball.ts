import { defineSport } from './sport.ts';

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
  incidents: ['goal', 'penalty', 'penalty_shootout', 'card', 'suspension'],
  // Draws are common enough for more than wins and losses.
  trends: [
    'won',
    'lost',
    'unbeaten',
    'winless',
    'over_level',
    'under_level',
    'scored_level',
    'conceded_level',
    'won_by_5',
    'lost_by_5',
    'within_2',
  ],
});
