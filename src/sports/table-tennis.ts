import { defineSport } from './sport.ts';
import { figureWord, numbered, word } from './sport-words.ts';

export const tableTennis = defineSport({
  id: 14,
  slug: 'table-tennis',
  name: 'Table tennis',
  name_ru: 'Настольный теннис',
  takeoverMinutes: 10,
  awaitingAfterStart: 480,
  awaitingAfterSilence: 120,
  usualMinutes: 60,
  unit: 'games',
  score: { periods: 'won', hasWinner: true, countedBy: 'set_end' },
  incidents: ['point', 'set_end'],
  notified: ['set_end'],
  blocks: ['points_history'],
  draws: false,
  // Draws are rare or impossible, so `unbeaten` would mean the same as `won`.
  trends: ['won', 'lost', 'won_to_nil', 'lost_to_nil', 'over_level', 'under_level'],
  trendTexts: {
    won_to_nil: { en: 'Won without losing a game', ru: 'Победа без проигранных партий' },
    lost_to_nil: { en: 'Lost without winning a game', ru: 'Поражение без выигранных партий' },
  },
  state: 'period',
  ground: 'line',
  words: {
    emoji: '🏓',
    breaks: { usual: word('Between games', 'Между партиями') },
    periods: { S: numbered('Game', ['партия', 'партии'], 'f') },
    byPeriod: word('Points by game', 'Очки по партиям'),
    total: figureWord('Games', 'Games won', 'Партии', 'Выиграно партий'),
    venue: word('Venue', 'Зал'),
    referee: word('Umpire', 'Судья'),
    figures: {
      goals: figureWord('Games', 'Games won', 'Партии', 'Выиграно партий'),
      conceded: figureWord('GL', 'Games lost', 'Проигр.', 'Проиграно партий'),
    },
  },
});
