import { defineSport } from './sport.ts';
import { figureWord, numbered, word } from './sport-words.ts';

export const darts = defineSport({
  id: 13,
  slug: 'darts',
  name: 'Darts',
  name_ru: 'Дартс',
  takeoverMinutes: 10,
  awaitingAfterStart: 480,
  awaitingAfterSilence: 120,
  unit: 'legs',
  score: { countedBy: 'set_end' },
  incidents: ['point', 'set_end'],
  blocks: ['points_history'],
  draws: false,
  // Draws are rare or impossible, so `unbeaten` would mean the same as `won`.
  trends: ['won', 'lost', 'won_to_nil', 'over_level', 'under_level', 'within_1'],
  trendTexts: {
    won_to_nil: { en: 'Whitewash', ru: 'Победа всухую' },
    within_1: { en: 'Decided in the last leg', ru: 'Исход в решающем леге' },
  },
  state: 'period',
  setFigure: 'checkout',
  words: {
    emoji: '🎯',
    breaks: { usual: word('Between legs', 'Между легами') },
    periods: { F: numbered('Leg', ['лег', 'лега'], 'm') },
    byPeriod: word('Result of each leg', 'Результаты легов'),
    total: figureWord('Legs', 'Legs won', 'Леги', 'Выиграно легов'),
    figures: {
      goals: figureWord('Legs', 'Legs won', 'Леги', 'Выиграно легов'),
      conceded: figureWord('LL', 'Legs lost', 'Проигр.', 'Проиграно легов'),
    },
  },
});
