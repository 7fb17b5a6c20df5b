import { defineSport } from './sport.ts';
import { figureWord, numbered, word } from './sport-words.ts';

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
  notified: ['set_end'],
  blocks: ['points_history'],
  draws: false,
  // Draws are rare or impossible, so `unbeaten` would mean the same as `won`.
  trends: ['won', 'lost', 'won_to_nil', 'over_level', 'under_level', 'within_1'],
  trendTexts: {
    won_to_nil: { en: 'Whitewash', ru: 'Победа всухую' },
    within_1: { en: 'Decided in the last frame', ru: 'Исход в решающем фрейме' },
  },
  state: 'period',
  setFigure: 'break',
  words: {
    emoji: '🎱',
    breaks: { usual: word('Between frames', 'Между фреймами') },
    periods: { F: numbered('Frame', ['фрейм', 'фрейма'], 'm') },
    byPeriod: word('Points by frame', 'Очки по фреймам'),
    total: figureWord('Frames', 'Frames won', 'Фреймы', 'Выиграно фреймов'),
    figures: {
      goals: figureWord('Frames', 'Frames won', 'Фреймы', 'Выиграно фреймов'),
      conceded: figureWord('FL', 'Frames lost', 'Проигр.', 'Проиграно фреймов'),
    },
  },
});
