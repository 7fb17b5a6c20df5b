/** Texts for ratings by margin on the models page. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Ratings of other sports',
  text: 'Basketball, American football, baseball, rugby and Australian football have no model of goals. `rating` of the pre-match analytics follows from Elo ratings with margin of victory, as FiveThirtyEight published them for the NFL and the NBA: a clear win moves more points than a narrow one, a favourite gains less, and between two seasons every team moves towards the mean. Cricket has the same without the margin, because a side that bats second stops when it has won. Line-ups and injuries are not known to it. The parameters of rugby are assumptions.',
  notMeasured: 'Not measured yet. `touchline backtest --rating` shows the result here.',
  noMatches: 'Measured on {day}: no match was between sides with five earlier ones.',
  measured:
    'Measured on {day}: each match was predicted from matches of earlier days alone. Home rate: the mean result of home sides in earlier matches of the tournament.',
  label: 'Scores of ratings',
  league: 'League',
  leagues: 'Scores by league: {sport}',
  sport: 'Sport',
  matches: 'Matches',
  period: 'Period',
  homeRate: 'Home rate',
  error: 'Calibration, points',
  published:
    '{sport}: on the {matches} matches with a forecast of {name} the Brier score is {ours}, and that of {name} {theirs}.',
  meaning:
    'Scores of the expected result, in which a draw is half a win: smaller is better. Calibration: the mean distance between predicted and observed home wins, in percentage points.',
};

const ru: typeof en = {
  title: 'Рейтинги других видов спорта',
  text: 'У баскетбола, американского футбола, бейсбола, регби и австралийского футбола нет модели голов. `rating` предматчевой аналитики следует из рейтингов Эло с учётом разницы счёта, какими их опубликовал FiveThirtyEight для НФЛ и НБА: крупная победа переносит больше очков, чем победа с малой разницей, фаворит получает меньше, а между сезонами каждая команда сдвигается к среднему. У крикета то же без разницы, потому что команда, отбивающая второй, останавливается, когда победила. Составов и травм он не знает. Параметры регби — допущения.',
  notMeasured: 'Ещё не измерено. `touchline backtest --rating` покажет результат здесь.',
  noMatches: 'Измерено {day}: ни в одном матче не было сторон с пятью более ранними.',
  measured:
    'Измерено {day}: каждый матч предсказан только по матчам предыдущих дней. Частота хозяев — средний результат хозяев в более ранних матчах турнира.',
  label: 'Оценки рейтингов',
  league: 'Лига',
  leagues: 'Оценки по лигам: {sport}',
  sport: 'Вид спорта',
  matches: 'Матчи',
  period: 'Период',
  homeRate: 'Частота хозяев',
  error: 'Калибровка, п. п.',
  published: '{sport}: на матчах с прогнозом {name} ({matches}) оценка Брайера {ours}, у {name} — {theirs}.',
  meaning:
    'Оценки ожидаемого результата, где ничья — половина победы: меньше — лучше. Калибровка — среднее расстояние между предсказанной и наблюдаемой частотой побед хозяев, в процентных пунктах.',
};

export const RATING: Record<Lang, typeof en> = { en, ru };
