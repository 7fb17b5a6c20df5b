import { defineSport, WITHOUT_DRAWS } from './sport.ts';
import { PERCENTAGE_COLUMNS } from './table-defaults.ts';

export const baseball = defineSport({
  id: 5,
  slug: 'baseball',
  name: 'Baseball',
  name_ru: 'Бейсбол',
  takeoverMinutes: 10,
  awaitingAfterStart: 600,
  awaitingAfterSilence: 240,
  usualMinutes: 180,
  starters: 9,
  lineScore: ['Hits', 'Errors'],
  unit: 'runs',
  score: { periods: 5, countedBy: 'point' },
  positionsRu: {
    p: 'питчер',
    c: 'кэтчер',
    '1b': 'первая база',
    '2b': 'вторая база',
    '3b': 'третья база',
    ss: 'шорт-стоп',
    lf: 'левый филдер',
    cf: 'центральный филдер',
    rf: 'правый филдер',
    dh: 'назначенный хиттер',
  },
  incidents: ['point'],
  draws: false,
  table: {
    points: { win: 1, draw: 0, loss: 0 },
    tie_breaks: ['win_percentage', 'head_to_head_win_percentage', 'division_percentage', 'conference_percentage'],
    hasLeagues: true,
    columns: PERCENTAGE_COLUMNS,
  },
  // From FiveThirtyEight's MLB predictions (2016), with the margin formula from American football.
  rating: {
    k: 4,
    homeAdvantage: 24,
    margin: 'log',
    regression: 1 / 3,
    mean: 1500,
    start: 1500,
    drawRate: 0,
    source: 'fivethirtyeight',
  },
  trends: [...WITHOUT_DRAWS, 'won_by_2', 'lost_by_2', 'within_1', 'clean_sheet'],
  trendTexts: {
    clean_sheet: { en: 'Shutout', ru: 'Не пропустили ни одного рана' },
    within_1: { en: 'Decided by one run', ru: 'Разница в один ран' },
  },
});
