/** Texts for the section on expected goals on the models page. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Expected goals',
  text: 'If no provider gives expected goals, `shotmap[].xg`, the statistic “Expected goals” and `player_stats[].stats.expected_goals` come from a model of ours: a logistic regression on the distance and the angle of the shot, header or not, free kick, fast break, a rebound (the shot before it in the same minute was of the same side) and the lead in goals. A penalty has the share of penalties that were scored. Nothing that is known only after the shot enters. Momentum is the halving sum of 0.05 + xG of the shots of the last minutes. `meta.sources` of a match names the model, and a match with a provider’s expected goals gets none of ours.',
  origin:
    'Its coefficients were fitted once, to {shots} shots of {tournaments} {season} in the data set of L. Pappalardo and M. Massucco (2019).',
  notMeasured: 'Not measured yet. `touchline backtest --expected-goals <folder>` shows the result here.',
  measured:
    'Measured on {day}: fitted to Spain, Italy and Germany {season}, tested on England, as ML-KULeuven/soccer_xg does; all shots, with penalties and direct free kicks. Its custom model was also fitted to France, and its settings were chosen on matches of all five leagues.',
  label: 'Scores of expected goals',
  model: 'Model',
  shots: 'Shots',
  goals: 'Goals',
  expected: 'Expected',
  ours: 'Touchline',
  withoutPenalties: 'Touchline, without penalties',
  published: 'soccer_xg, custom',
  meaning:
    'AUC is how often a goal had more expected goals than a shot that was none: 0.5 is chance, 1 perfect. Brier score: mean squared error. ECE: mean distance of predicted and observed frequency, over ten bins of equal width.',
  league: 'League',
  use: 'Used for',
  uses: { training: 'fit', test: 'test', unused: 'not used' },
  matches: 'Matches',
  countsLabel: 'Shots of the data set',
  counts:
    'Shots from open play of the five leagues: {ours} here, {published} in the notebook of soccer_xg, whose split leaves out three matches.',
};

const ru: typeof en = {
  title: 'Ожидаемые голы',
  text: 'Если ни один источник не даёт ожидаемых голов, `shotmap[].xg`, показатель «Ожидаемые голы» и `player_stats[].stats.expected_goals` рассчитывает наша модель: логистическая регрессия по расстоянию и углу удара, удару головой, штрафному, быстрой атаке, добиванию (предыдущий удар в ту же минуту был той же команды) и перевесу в голах. Пенальти получает долю забитых пенальти. Ничто из того, что известно только после удара, не используется. Давление — убывающая вдвое сумма 0,05 + xG ударов последних минут. `meta.sources` матча называет модель, а матч с ожидаемыми голами источника наших не получает.',
  origin:
    'Её коэффициенты подобраны один раз, по ударам: {shots} ({tournaments}, {season}), из набора данных L. Pappalardo и M. Massucco (2019).',
  notMeasured: 'Ещё не измерено. `touchline backtest --expected-goals <папка>` покажет результат здесь.',
  measured:
    'Измерено {day}: подобрано по Испании, Италии и Германии {season}, проверено на Англии, как в ML-KULeuven/soccer_xg; все удары, с пенальти и прямыми штрафными. Модель custom оттуда подобрана ещё и по Франции, а её настройки выбраны по матчам всех пяти лиг.',
  label: 'Оценки ожидаемых голов',
  model: 'Модель',
  shots: 'Удары',
  goals: 'Голы',
  expected: 'Ожидалось',
  ours: 'Touchline',
  withoutPenalties: 'Touchline, без пенальти',
  published: 'soccer_xg, custom',
  meaning:
    'AUC — как часто у гола было больше ожидаемых голов, чем у удара без гола: 0,5 — случайность, 1 — идеал. Оценка Брайера — средний квадрат ошибки. ECE — среднее расстояние предсказанной и наблюдаемой частоты по десяти интервалам равной ширины.',
  league: 'Лига',
  use: 'Для чего',
  uses: { training: 'подбор', test: 'проверка', unused: 'не использована' },
  matches: 'Матчи',
  countsLabel: 'Удары набора данных',
  counts:
    'Удары с игры в пяти лигах: здесь {ours}, в блокноте soccer_xg {published}; его разбиение пропускает три матча.',
};

export const expectedGoals: Record<Lang, typeof en> = { en, ru };

/** League names by English name. */
export const LEAGUES_RU: Record<string, string> = {
  Spain: 'Испания',
  Italy: 'Италия',
  Germany: 'Германия',
  England: 'Англия',
  France: 'Франция',
};
