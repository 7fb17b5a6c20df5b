import { defineSport, WITHOUT_DRAWS } from './sport.ts';
import { FULL_TIME, GOALS, HALF_TIME, once, QUARTERS, STADIUM, word } from './sport-words.ts';

export const aussieRules = defineSport({
  id: 10,
  slug: 'aussie-rules',
  name: 'Australian rules football',
  name_ru: 'Австралийский футбол',
  takeoverMinutes: 5,
  awaitingAfterStart: 300,
  awaitingAfterSilence: 120,
  usualMinutes: 150,
  starters: 18,
  score: { periods: 4, goalPoints: null },
  incidents: ['goal', 'point'],
  table: {
    points: { win: 4, draw: 2, loss: 0 },
    tie_breaks: ['goal_average'],
    columns: ['played', 'wins', 'draws', 'losses', 'scores_for', 'scores_against', 'score_percentage', 'points'],
  },
  // Assumes that home sides win about 57 % of matches, because many matches are in a city that both sides share.
  rating: {
    k: 20,
    homeAdvantage: 50,
    margin: 'log',
    regression: 1 / 3,
    mean: 1500,
    start: 1500,
    drawRate: 0.01,
    source: 'assumed',
  },
  // 36 points are six goals, and 12 points are two.
  trends: [...WITHOUT_DRAWS, 'won_by_36', 'lost_by_36', 'within_12'],
  scorers: 'counts',
  ground: 'circle',
  goalMinutes: { step: 20, end: 80 },
  words: {
    start: word('First bounce', 'Начало'),
    statuses: { ended: FULL_TIME },
    breaks: {
      usual: word('Break', 'Перерыв'),
      after: {
        1: word('Quarter time', 'Перерыв'),
        2: HALF_TIME,
        3: word('Three-quarter time', 'Перерыв'),
      },
    },
    periods: { ...QUARTERS, OT: once('Extra time', 'Доп. время', 'дополнительного времени', word('ET', 'ДВ')) },
    byPeriod: word('Score by quarter', 'Счёт по четвертям'),
    venue: STADIUM,
    referee: word('Umpire', 'Судья'),
    bench: word('Interchange', 'Запасные'),
    sign: 'oval',
    figures: { goals: GOALS },
  },
});
