import { defineSport, WITH_DRAWS } from './sport.ts';
import { FULL_TIME, HALF_TIME, HALVES, once, POINTS, STADIUM, word } from './sport-words.ts';
import { BY_DIFFERENCE } from './table-defaults.ts';

export const rugby = defineSport({
  id: 8,
  slug: 'rugby',
  name: 'Rugby',
  name_ru: 'Регби',
  takeoverMinutes: 5,
  awaitingAfterStart: 240,
  awaitingAfterSilence: 120,
  score: { periods: 2, countedBy: 'point' },
  positionsRu: {
    prop: 'столб',
    hooker: 'хукер',
    lock: 'замок',
    flanker: 'фланкер',
    'number eight': 'восьмой',
    'scrum-half': 'полузащитник схватки',
    'fly-half': 'флай-хав',
    wing: 'вингер',
    centre: 'центр',
    'full-back': 'фулбэк',
  },
  incidents: ['penalty', 'card', 'var', 'point', 'suspension'],
  notified: ['point', 'card', 'break'],
  table: {
    points: { win: 4, draw: 2, loss: 0 },
    tie_breaks: ['wins', ...BY_DIFFERENCE],
    // One point for four tries, whatever the result, and one point for a defeat by seven points or fewer.
    bonus: [
      { statistic: 'Tries', at_least: 4, points: 1 },
      { lost_by_at_most: 7, points: 1 },
    ],
    columns: [
      'played',
      'wins',
      'draws',
      'losses',
      'scores_for',
      'scores_against',
      'goal_difference',
      'bonus_points',
      'points',
    ],
  },
  // Assumes that home sides win about 60 % of matches, and that leagues are as even as the NFL.
  rating: {
    k: 20,
    homeAdvantage: 70,
    margin: 'log',
    regression: 1 / 4,
    mean: 1500,
    start: 1500,
    drawRate: 0.025,
    source: 'assumed',
  },
  // A defeat by seven points or fewer gives a bonus point.
  trends: [...WITH_DRAWS, 'won_by_8', 'lost_by_8', 'within_7'],
  leaders: ['goals', 'yellow_cards', 'red_cards', 'cards', 'matches', 'starts'],
  ground: 'line',
  words: {
    emoji: '🏉',
    start: word('Kick-off', 'Начало'),
    statuses: {
      ended: FULL_TIME,
      after_penalties: word('After a kicking competition', 'По серии ударов'),
      penalties: word('Kicking competition', 'Серия ударов'),
    },
    breaks: { usual: word('Break', 'Перерыв'), after: { 1: HALF_TIME } },
    periods: { ...HALVES, PEN: once('Kicking competition', 'Серия ударов', 'серии ударов') },
    shootOut: {
      short: word('kicks', 'удары'),
      won: word('{team} won the kicking competition', 'по серии ударов: {team}'),
    },
    venue: STADIUM,
    bench: word('Replacements', 'Запасные'),
    review: word('TMO', 'TMO'),
    penalty: { note: word('pen.', 'штр.'), missed: word('Penalty kick missed', 'Неточный штрафной') },
    sign: 'oval',
    figures: { goals: POINTS },
  },
});
