import { defineSport, WITHOUT_DRAWS } from './sport.ts';
import {
  AFTER_OVERTIME,
  FINAL,
  figureWord,
  HALF_TIME,
  PLAY_OFFS,
  POINTS,
  QUARTERS,
  STADIUM,
  word,
} from './sport-words.ts';
import { BY_DIFFERENCE, TWO_POINTS } from './table-defaults.ts';

export const americanFootball = defineSport({
  id: 9,
  slug: 'american-football',
  name: 'American football',
  name_ru: 'Американский футбол',
  takeoverMinutes: 10,
  awaitingAfterStart: 360,
  awaitingAfterSilence: 120,
  usualMinutes: 210,
  score: { periods: 4, countedBy: 'point' },
  incidents: ['point'],
  notified: ['point', 'break'],
  // A tie is rare, and counts as half a win.
  draws: true,
  table: {
    points: TWO_POINTS,
    tie_breaks: ['win_percentage', 'head_to_head_win_percentage', ...BY_DIFFERENCE],
    columns: [
      'played',
      'wins',
      'losses',
      'draws',
      'win_percentage',
      'games_behind',
      'scores_for',
      'scores_against',
      'goal_difference',
    ],
  },
  // From FiveThirtyEight's NFL predictions (2014 to 2022). About one match in 250 is a draw.
  rating: {
    k: 20,
    homeAdvantage: 65,
    margin: 'log',
    regression: 1 / 3,
    mean: 1505,
    start: 1300,
    drawRate: 0.004,
    source: 'fivethirtyeight',
  },
  // A touchdown with a two-point conversion is worth 8 points.
  trends: [...WITHOUT_DRAWS, 'won_by_14', 'lost_by_14', 'within_8'],
  bracket: 'halves',
  leaders: ['goals', 'matches'],
  ground: 'line',
  words: {
    emoji: '🏈',
    knockOut: PLAY_OFFS,
    start: word('Kick-off', 'Начало'),
    statuses: { ended: FINAL, after_extra_time: AFTER_OVERTIME },
    breaks: { usual: word('Break', 'Перерыв'), after: { 2: HALF_TIME } },
    periods: QUARTERS,
    byPeriod: word('Score by quarter', 'Счёт по четвертям'),
    venue: STADIUM,
    sign: 'oval',
    figures: { goals: POINTS, draws: figureWord('T', 'Ties', 'Н', 'Ничьи') },
  },
});
