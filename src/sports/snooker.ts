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
  unit: 'frames',
  score: { countedBy: 'set_end' },
  incidents: ['point', 'set_end'],
  blocks: ['points_history'],
  draws: false,
  // Draws are rare or impossible, so `unbeaten` would mean the same as `won`.
  trends: ['won', 'lost', 'won_to_nil', 'over_level', 'under_level', 'within_1'],
  trendTexts: {
    won_to_nil: { en: 'Whitewash', ru: 'Победа всухую' },
    within_1: { en: 'Decided in the last frame', ru: 'Исход в решающем фрейме' },
  },
});
