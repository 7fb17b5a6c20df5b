import { defineSport } from './sport.ts';
import { figureWord, numbered, word } from './sport-words.ts';

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
  unit: 'maps',
  // Draws are rare or impossible, so `unbeaten` would mean the same as `won`.
  trends: ['won', 'lost', 'won_to_nil', 'lost_to_nil', 'over_level', 'under_level'],
  trendTexts: {
    won_to_nil: { en: 'Won without losing a map', ru: 'Победа без проигранных карт' },
    lost_to_nil: { en: 'Lost without winning a map', ru: 'Поражение без выигранных карт' },
  },
  state: 'period',
  words: {
    emoji: '🎮',
    breaks: { usual: word('Between maps', 'Между картами') },
    periods: { M: numbered('Map', ['карта', 'карты'], 'f') },
    byPeriod: word('Score by map', 'Счёт по картам'),
    total: figureWord('Maps', 'Maps won', 'Карты', 'Выиграно карт'),
    figures: {
      goals: figureWord('Maps', 'Maps won', 'Карты', 'Выиграно карт'),
      conceded: figureWord('ML', 'Maps lost', 'Проигр.', 'Проиграно карт'),
    },
  },
});
