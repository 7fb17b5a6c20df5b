import { defineSport } from './sport.ts';
import { numbered, word } from './sport-words.ts';

export const mma = defineSport({
  id: 11,
  slug: 'mma',
  name: 'MMA',
  name_ru: 'Смешанные единоборства',
  takeoverMinutes: 15,
  awaitingAfterStart: 720,
  awaitingAfterSilence: 120,
  usualMinutes: 30,
  blocks: ['fight'],
  score: { winnerOnly: true },
  state: 'period',
  words: {
    emoji: '🥊',
    breaks: { usual: word('Between rounds', 'Между раундами') },
    periods: { R: numbered('Round', ['раунд', 'раунда'], 'm') },
    byPeriod: word('Points by round', 'Очки по раундам'),
    total: undefined,
    referee: word('Referee', 'Рефери'),
  },
});
