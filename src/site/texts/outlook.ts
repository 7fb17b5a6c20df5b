/** Texts for a season's outlook, on the season page and the models page. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Outlook',
  note: '{count} simulations of the {remaining} remaining matches, of {date}.',
  none: 'No outlook of this season is stored.',
  incomplete: 'Fixtures or results are missing.',
  side: 'Team',
  points: 'Final points',
  expected: 'Mean over the simulations',
  champion: 'Champion',
  first: 'First place',
  race: 'Title race',
  raceText: 'Probability of the title by date.',
  models: 'Season outcomes',
  text: '`/v1/tournament/{id}/outlook` plays the remaining matches of a season 10,000 times with the calibrated model, and applies the rules of the table: points, tie-breaks in their order, deductions, groups, and the division of a league with what its sides carry over. Sides that stay level are ordered by lot. The strengths of the sides stay as they are at present; knock-out rounds are not simulated.',
  notMeasured: 'Not measured yet. `touchline backtest --outlook` shows the result here.',
  measured:
    'Measured on {day}: {seasons} finished seasons of five leagues, each from the end of the day on which half of its matches had been played. By rank: how often the side of that rank at mid-season became champion, counted from the top, or was relegated, counted from the end, in the {fewest} to {most} earlier seasons of the five leagues.',
  label: 'Scores of outlooks',
  league: 'League',
  seasons: 'Seasons',
  all: 'All',
  columns: {
    champion: { model: 'Champion', rank: 'Champion, by rank' },
    relegation: { model: 'Relegated', rank: 'Relegated, by rank' },
  },
  meaning:
    'Brier score: mean squared error over all sides, smaller is better. ECE over ten bins of equal width, in percentage points: champion {champion}, relegated {relegation}.',
};

const ru: typeof en = {
  title: 'Прогноз сезона',
  note: 'Симуляций: {count}, оставшихся матчей: {remaining}; {date}.',
  none: 'Для этого сезона прогноза нет.',
  incomplete: 'Части матчей или результатов не хватает.',
  side: 'Команда',
  points: 'Очки в конце',
  expected: 'В среднем по симуляциям',
  champion: 'Чемпион',
  first: 'Первое место',
  race: 'Борьба за титул',
  raceText: 'Вероятность титула по датам.',
  models: 'Исход сезона',
  text: '`/v1/tournament/{id}/outlook` 10 000 раз разыгрывает оставшиеся матчи сезона по калиброванной модели и применяет правила таблицы: очки, показатели при равенстве в их порядке, снятие очков, группы, деление лиги с тем, что команды берут с собой. Если команды равны по всем показателям, решает жребий. Сила команд остаётся такой, как сейчас; раунды плей-офф не разыгрываются.',
  notMeasured: 'Ещё не измерено. `touchline backtest --outlook` покажет результат здесь.',
  measured:
    'Измерено {day}: завершённых сезонов пяти лиг: {seasons}, каждый с конца дня, когда была сыграна половина матчей. По месту: как часто команда с этого места в середине сезона становилась чемпионом (счёт сверху) или вылетала (счёт снизу) в более ранних сезонах пяти лиг (от {fewest} до {most}).',
  label: 'Оценки прогнозов сезона',
  league: 'Лига',
  seasons: 'Сезоны',
  all: 'Все',
  columns: {
    champion: { model: 'Чемпион', rank: 'Чемпион, по месту' },
    relegation: { model: 'Вылет', rank: 'Вылет, по месту' },
  },
  meaning:
    'Оценка Брайера — средний квадрат ошибки по всем командам, меньше — лучше. ECE по десяти интервалам равной ширины, в процентных пунктах: чемпион {champion}, вылет {relegation}.',
};

export const OUTLOOK: Record<Lang, typeof en> = { en, ru };
