import { defineSport } from './sport.ts';
import { figureWord, numbered, word } from './sport-words.ts';

export const tennis = defineSport({
  id: 4,
  slug: 'tennis',
  name: 'Tennis',
  name_ru: 'Теннис',
  takeoverMinutes: 10,
  awaitingAfterStart: 1440,
  awaitingAfterSilence: 360,
  usualMinutes: 150,
  unit: 'sets',
  score: { periods: 'won', hasWinner: true, countedBy: 'set_end' },
  incidents: ['var', 'point', 'set_end'],
  notified: ['set_end'],
  blocks: ['points_history'],
  draws: false,
  // Draws are rare or impossible, so `unbeaten` would mean the same as `won`.
  trends: ['won', 'lost', 'won_to_nil', 'lost_to_nil', 'over_2_5', 'over_3_5', 'over_4_5', 'under_2_5', 'under_3_5'],
  trendTexts: {
    won_to_nil: { en: 'Won in straight sets', ru: 'Победа без проигранных сетов' },
    lost_to_nil: { en: 'Lost in straight sets', ru: 'Поражение без выигранных сетов' },
  },
  state: 'period',
  ground: 'line',
  words: {
    emoji: '🎾',
    breaks: { usual: word('Between sets', 'Между сетами') },
    periods: { S: numbered('Set', ['сет', 'сета'], 'm') },
    byPeriod: word('Games by set', 'Геймы по сетам'),
    total: figureWord('Sets', 'Sets won', 'Сеты', 'Выиграно сетов'),
    venue: word('Venue', 'Корт'),
    referee: word('Umpire', 'Судья'),
    figures: {
      goals: figureWord('Sets', 'Sets won', 'Сеты', 'Выиграно сетов'),
      conceded: figureWord('SL', 'Sets lost', 'Проигр.', 'Проиграно сетов'),
    },
  },
});
