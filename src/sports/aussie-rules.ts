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
  scoreParts: { names: ['Goals', 'Behinds'], values: [6, 1] },
  score: { periods: 4, goalPoints: null },
  incidents: ['goal', 'point'],
  notified: ['break'],
  table: {
    points: { win: 4, draw: 2, loss: 0 },
    tie_breaks: ['goal_average'],
    columns: ['played', 'wins', 'draws', 'losses', 'scores_for', 'scores_against', 'score_percentage', 'points'],
  },
  // Fitted to the matches of 1980 to 2014. The home advantage is a mean, because many matches are in a city that both sides share.
  rating: {
    k: 14,
    homeAdvantage: 55,
    margin: 'power',
    regression: 0.3,
    mean: 1500,
    start: 1500,
    drawRate: 0.01,
    marginPerPoint: 0.14,
    source: 'fitted',
  },
  // 36 points are six goals, and 12 points are two.
  trends: [...WITHOUT_DRAWS, 'won_by_36', 'lost_by_36', 'within_12'],
  scorers: 'counts',
  ground: 'circle',
  goalMinutes: { step: 20, end: 80 },
  words: {
    emoji: '🏉',
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
    knockOut: word('Finals', 'Плей-офф'),
    venue: STADIUM,
    referee: word('Umpire', 'Судья'),
    bench: word('Interchange', 'Запасные'),
    sign: 'oval',
    figures: { goals: GOALS },
  },
});
