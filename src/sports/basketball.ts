import { defineSport, WITHOUT_DRAWS } from './sport.ts';
import { BY_DIFFERENCE } from './table-defaults.ts';

export const basketball = defineSport({
  id: 2,
  slug: 'basketball',
  name: 'Basketball',
  name_ru: 'Баскетбол',
  takeoverMinutes: 5,
  awaitingAfterStart: 240,
  awaitingAfterSilence: 120,
  usualMinutes: 150,
  regularMinutes: 40,
  periodEnds: [10, 20, 30, 40],
  boxScore: ['minutes', 'points', 'rebounds', 'assists', 'steals', 'blocks', 'turnovers', 'fouls'],
  starters: 5,
  score: { periods: 4, countedBy: 'point' },
  positionsRu: {
    pg: 'разыгрывающий',
    sg: 'атакующий защитник',
    sf: 'лёгкий форвард',
    pf: 'тяжёлый форвард',
    g: 'защитник',
    f: 'форвард',
    c: 'центровой',
  },
  incidents: ['point'],
  blocks: ['momentum'],
  draws: false,
  table: {
    points: { win: 2, draw: 1, loss: 1 },
    tie_breaks: ['head_to_head_points', 'head_to_head_goal_difference', ...BY_DIFFERENCE],
    columns: ['played', 'wins', 'losses', 'scores_for', 'scores_against', 'goal_difference', 'points'],
  },
  // From FiveThirtyEight's NBA Elo ratings (2015).
  rating: {
    k: 20,
    homeAdvantage: 100,
    margin: 'power',
    regression: 1 / 4,
    mean: 1505,
    start: 1300,
    drawRate: 0,
    source: 'fivethirtyeight',
  },
  trends: [...WITHOUT_DRAWS, 'won_by_10', 'lost_by_10', 'within_5'],
});
