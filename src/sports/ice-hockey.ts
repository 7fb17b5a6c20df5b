import { defineSport } from './sport.ts';
import { AFTER_OVERTIME, FINAL, figureWord, numbered, OVERTIME, once, word } from './sport-words.ts';
import { BY_DIFFERENCE, THREE_POINTS } from './table-defaults.ts';

export const iceHockey = defineSport({
  id: 3,
  slug: 'ice-hockey',
  name: 'Ice hockey',
  name_ru: 'Хоккей',
  takeoverMinutes: 5,
  awaitingAfterStart: 300,
  awaitingAfterSilence: 120,
  usualMinutes: 150,
  starters: 6,
  unit: 'goals',
  score: { periods: 3, countedBy: 'goal' },
  positionsRu: {
    g: 'вратарь',
    gk: 'вратарь',
    d: 'защитник',
    c: 'центр',
    l: 'левый крайний',
    lw: 'левый крайний',
    r: 'правый крайний',
    rw: 'правый крайний',
  },
  incidents: ['goal', 'penalty', 'penalty_shootout', 'suspension'],
  draws: false,
  table: {
    points: { ...THREE_POINTS, overtime_win: 2, overtime_loss: 1 },
    tie_breaks: ['wins', ...BY_DIFFERENCE],
    columns: [
      'played',
      'wins',
      'overtime_wins',
      'overtime_losses',
      'regulation_losses',
      'scores_for',
      'scores_against',
      'goal_difference',
      'points',
    ],
  },
  /**
   * Assumed, not fitted, because no open match history for ice hockey is available. In a large league, sides differ less than
   * in football: the standard deviation of goals for or against is about 8 %. They score about 2.9 goals a match, and about 9
   * % more at home than away. No scaling or correction is applied.
   */
  goalModel: {
    ridge: 150,
    newcomer_attack: 0.08,
    newcomer_defence: 0.08,
    level_goals: 2.9,
    level_home_advantage: 0.09,
    difference_scale: 1,
    total_scale: 1,
    low_score_correlation: 0,
    shots_share: 0,
  },
  trends: [
    'won',
    'lost',
    'over_4_5',
    'over_5_5',
    'over_6_5',
    'under_4_5',
    'under_5_5',
    'under_6_5',
    'scored_four',
    'conceded_four',
    'clean_sheet',
  ],
  trendTexts: { clean_sheet: { en: 'Shutout', ru: 'Сыграли на ноль' } },
  page: { cleanSheets: true },
  bracket: 'halves',
  leaders: ['goals', 'assists', 'goals_and_assists', 'clean_sheets', 'matches'],
  ground: 'circle',
  goalMinutes: { step: 20, end: 60 },
  words: {
    start: word('Face-off', 'Начало'),
    statuses: {
      ended: FINAL,
      after_extra_time: AFTER_OVERTIME,
      after_penalties: word('After a shoot-out', 'По буллитам'),
      penalties: word('Shoot-out', 'Буллиты'),
    },
    breaks: { usual: word('Intermission', 'Перерыв') },
    periods: {
      P: numbered('Period', ['период', 'периода'], 'm'),
      OT: OVERTIME,
      SO: once('Shoot-out', 'Буллиты', 'серии буллитов'),
    },
    shootOut: { short: word('SO', 'бул.'), won: word('{team} won the shoot-out', 'по буллитам: {team}') },
    penalty: { note: word('penalty shot', 'буллит'), missed: word('Penalty shot missed', 'Нереализованный буллит') },
    sign: 'puck',
    statisticsRu: { 'Total shots': 'Броски' },
    figures: {
      goals: figureWord('G', 'Goals', 'Ш', 'Шайбы'),
      goals_and_assists: figureWord('Pts', 'Points', 'О', 'Очки (гол+пас)'),
      clean_sheets: figureWord('SO', 'Shutouts', 'Сух.', 'Сухие матчи'),
      conceded: figureWord('GA', 'Conceded', 'ПШ', 'Пропущено'),
    },
  },
});
