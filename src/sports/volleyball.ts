import { defineSport } from './sport.ts';
import { figureWord, numbered, PLAY_OFFS, word } from './sport-words.ts';

export const volleyball = defineSport({
  id: 6,
  slug: 'volleyball',
  name: 'Volleyball',
  name_ru: 'Волейбол',
  takeoverMinutes: 5,
  awaitingAfterStart: 300,
  awaitingAfterSilence: 120,
  decidingPeriods: ['S5'],
  starters: 6,
  unit: 'volleyball_sets',
  score: { periods: 'won', hasWinner: true, countedBy: 'set_end' },
  incidents: ['point', 'set_end'],
  blocks: ['points_history'],
  draws: false,
  table: {
    points: { win: 3, draw: 0, loss: 0, overtime_win: 2, overtime_loss: 1 },
    tie_breaks: ['wins', 'goal_average', 'set_points_average'],
    columns: [
      'played',
      'wins',
      'five_set_wins',
      'five_set_losses',
      'losses',
      'scores_for',
      'scores_against',
      'score_quotient',
      'set_points_quotient',
      'points',
    ],
  },
  // Fitted to the German leagues from 2013/14 to 2015/16.
  rating: {
    k: 60,
    homeAdvantage: 75,
    margin: 'log',
    regression: 0,
    mean: 1500,
    start: 1500,
    drawRate: 0,
    sets: { toWin: 3, deviation: 0.7 },
    source: 'fitted',
  },
  // Draws are rare or impossible, so `unbeaten` would mean the same as `won`.
  trends: ['won', 'lost', 'won_to_nil', 'lost_to_nil', 'over_3_5', 'over_4_5', 'under_3_5'],
  trendTexts: {
    won_to_nil: { en: 'Won in straight sets', ru: 'Победа без проигранных партий' },
    lost_to_nil: { en: 'Lost in straight sets', ru: 'Поражение без выигранных партий' },
  },
  state: 'period',
  ground: 'line',
  words: {
    knockOut: PLAY_OFFS,
    breaks: { usual: word('Between sets', 'Между партиями') },
    periods: { S: numbered('Set', ['партия', 'партии'], 'f') },
    byPeriod: word('Points by set', 'Очки по партиям'),
    total: figureWord('Sets', 'Sets won', 'Партии', 'Выиграно партий'),
    venue: word('Venue', 'Зал'),
    figures: {
      goals: figureWord('Sets', 'Sets won', 'Партии', 'Выиграно партий'),
      conceded: figureWord('SL', 'Sets lost', 'Проигр.', 'Проиграно партий'),
    },
  },
});
