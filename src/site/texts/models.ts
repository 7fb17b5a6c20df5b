/** Texts for the models page. Text in `backticks` is shown as code. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Models',
  intro:
    'The figures of `GET /v1/event/{id}/analytics` are computed from earlier matches of the same tournament, never from forecasts or prices. Only {sports} have models.',
  basic: 'The basic model',
  basicText:
    '`model` takes the matches of the tournament in the 913 days before the date of the match. The attack of the home side is its goals per home match over the goals of all home sides per match, its defence is what it concedes at home over what home sides concede; of the away side likewise away. Expected goals of the home side are its attack × the defence of the away side × the goals of home sides per match. The goals of both sides are taken as independent and Poisson distributed (M. J. Maher, Statistica Neerlandica 36, 1982). There is no model if the home side has fewer than 4 home matches or the away side fewer than 4 away matches.',
  calibrated: 'The calibrated model',
  calibratedText:
    '`model.calibrated` is a Poisson regression over about four years: attack and defence of each side, the level of the league and the home advantage. Recent matches weigh more. A ridge penalty draws sides with few matches to the strength that newcomers have. If most matches have shots on target, these count beside goals. At a neutral venue neither side has a home advantage. Low scores are corrected as M. J. Dixon and S. G. Coles do (Applied Statistics 46, 1997).',
  elo: 'Elo ratings',
  eloText:
    'The rankings `elo_national_teams` and `elo_clubs` follow from results alone: each match moves points from one side to the other, by the methods of eloratings.net and clubelo.com. Here their difference before a match is turned into probabilities (L. M. Hvattum and H. Arntzen, Int. J. Forecasting 26, 2010), to be compared with the models.',
  origin:
    'Its parameters were fitted once, to {matches} matches ({shots} of them with shots) of {tournaments} from {from} to {to}, and have not been changed since. The parameters of ice hockey are assumptions.',
  live: 'During the match',
  liveText:
    '`win_probability` and `GET /v1/event/{id}/probabilities` follow from the goals that the calibrated model expects, the share of goals still to come by minute, the score, and the players sent off. In each minute either side scores at its own rate (M. J. Dixon and M. E. Robinson, The Statistician 47, 1998): a side that trails scores somewhat more, one with a player less about half as much, its opponent two thirds more. They are of the result after 90 minutes, in extra time of the result after it. Extra time goes on like the last minutes of regular time, and a kick of a shoot-out is scored in three of four cases; these two are assumptions. Ice hockey has no such forecast, since no open history of its goals by minute is at hand.',
  liveOrigin: 'The rates by minute were fitted to {matches} matches from {from} to {to}: {tournaments}.',
  liveHere: 'Forecasts during the match',
  liveNotMeasured:
    'Not measured yet. `touchline backtest --live` predicts past matches at minutes 0 to 85 and shows the result here.',
  liveNoMatches: 'Measured on {day}: no match had goals and cards with their minutes.',
  liveMeasured:
    'Measured on {day}, from {from} to {to}, matches: {matches}. Each minute is predicted from matches of earlier days and from what had happened by then; minute 45 is half-time.',
  minute: 'Minute',
  error: 'Calibration, points',
  livePlot: 'Calibration by minute',
  valueBets: 'Value bets',
  valueBetsText:
    'A value bet is a price that pays more than the basic model’s fair price. An edge over 20 % carries `caution`: that far from the market the model is more often wrong than the market is.',
  here: 'On the matches of this installation',
  notMeasured:
    'Not measured yet. `touchline backtest` predicts past matches from earlier ones and shows the result here.',
  noMatches: 'Measured on {day}: no match had enough earlier ones.',
  measured:
    'Measured on {day}, from {from} to {to}: each match is predicted from matches of earlier days alone. Matches: {matches}. Tournaments: {tournaments}.',
  withPrices: 'Matches with prices: {matches}',
  withPublished: 'Matches with a forecast of FiveThirtyEight: {matches}',
  publishedText:
    'FiveThirtyEight published the forecasts of its SPI ratings before each match (CC BY 4.0). Our model does not know them; each of its forecasts uses matches of earlier days only.',
  allLeagues: 'All',
  league: 'League',
  matches: 'Matches',
  scoresLabel: 'Scores of the models',
  model: 'Model',
  overUnder: 'Over/under 2.5',
  points: '{outcome}, points',
  outcomes: { home: 'Home win', draw: 'Draw', away: 'Away win' },
  models: {
    base_rates: 'Base rates',
    elo: 'Elo',
    poisson: 'Poisson',
    calibrated: 'Calibrated',
    bookmakers: 'Bookmakers',
    spi: 'FiveThirtyEight SPI',
  },
  meaning: 'What the scores mean',
  scores: [
    'RPS, the ranked probability score, is 0 for a perfect forecast and 1 for the worst; a draw is nearer to a home win than an away win is.',
    'Brier score and log-loss compare the probability of each outcome with the result. Smaller is better. “Over/under 2.5” is the log-loss of more than 2.5 goals.',
    'Points: of ten groups of matches with similar forecasts, how far the predicted frequency is from the observed one, on average, in percentage points. On the dashed line of a picture both are equal.',
  ],
};

const ru: typeof en = {
  title: 'Модели',
  intro:
    'Данные `GET /v1/event/{id}/analytics` рассчитаны по прошедшим матчам того же турнира, а не по прогнозам или коэффициентам. Модели есть только для этих видов спорта: {sports}.',
  basic: 'Базовая модель',
  basicText:
    '`model` берёт матчи турнира за 913 дней до даты матча. Атака хозяев — их голы за домашний матч, делённые на голы всех хозяев за матч; оборона — пропущенное ими дома, делённое на пропущенное всеми хозяевами; для гостей — то же на выезде. Ожидаемые голы хозяев — их атака × оборона гостей × голы хозяев за матч. Голы команд считаются независимыми и распределёнными по Пуассону (M. J. Maher, Statistica Neerlandica 36, 1982). Модели нет, если у хозяев меньше 4 домашних матчей или у гостей меньше 4 выездных.',
  calibrated: 'Калиброванная модель',
  calibratedText:
    '`model.calibrated` — регрессия Пуассона примерно за четыре года: атака и оборона каждой команды, уровень лиги и преимущество своего поля. Недавние матчи весят больше. Гребневая регуляризация сдвигает команды с малым числом матчей к силе новичков. Если у большинства матчей есть удары в створ, они учитываются вместе с голами. На нейтральном поле преимущества нет ни у кого. Низкий счёт поправлен по методу M. J. Dixon и S. G. Coles (Applied Statistics 46, 1997).',
  elo: 'Рейтинги Эло',
  eloText:
    'Рейтинги `elo_national_teams` и `elo_clubs` следуют только из результатов: каждый матч переносит очки от одной команды к другой, по методам eloratings.net и clubelo.com. Здесь их разница перед матчем переведена в вероятности (L. M. Hvattum и H. Arntzen, Int. J. Forecasting 26, 2010) для сравнения с моделями.',
  origin:
    'Её параметры подобраны один раз, по {matches} матчам (из них с ударами — {shots}), турниры: {tournaments}, с {from} по {to}, и с тех пор не менялись. Параметры для хоккея — допущения.',
  live: 'Во время матча',
  liveText:
    '`win_probability` и `GET /v1/event/{id}/probabilities` следуют из голов, которых ждёт калиброванная модель, доли голов, которые ещё впереди на этой минуте, счёта и удалений. В каждую минуту любая команда забивает со своей частотой (M. J. Dixon и M. E. Robinson, The Statistician 47, 1998): проигрывающая — чуть чаще, оставшаяся в меньшинстве — примерно вдвое реже, её соперник — на две трети чаще. Это вероятности результата за 90 минут, а в дополнительное время — результата после него. Дополнительное время идёт как последние минуты основного, а удар в серии пенальти забивают в трёх случаях из четырёх; оба числа — допущения. Для хоккея такого прогноза нет: открытой истории голов по минутам под рукой нет.',
  liveOrigin: 'Частоты по минутам подобраны по {matches} матчам с {from} по {to}: {tournaments}.',
  liveHere: 'Прогнозы во время матча',
  liveNotMeasured:
    'Ещё не измерено. `touchline backtest --live` предсказывает прошедшие матчи на минутах с 0 по 85, и результат появится здесь.',
  liveNoMatches: 'Измерено {day}: ни у одного матча не было голов и карточек с минутами.',
  liveMeasured:
    'Измерено {day}, с {from} по {to}, матчей: {matches}. Каждая минута предсказана по матчам предыдущих дней и по тому, что к ней произошло; минута 45 — перерыв.',
  minute: 'Минута',
  error: 'Калибровка, п. п.',
  livePlot: 'Калибровка по минутам',
  valueBets: 'Ставки с перевесом',
  valueBetsText:
    'Ставка с перевесом — цена выше справедливой по базовой модели. Перевес больше 20 % помечен `caution`: так далеко от рынка модель ошибается чаще, чем рынок.',
  here: 'На матчах этой установки',
  notMeasured:
    'Ещё не измерено. `touchline backtest` предсказывает прошедшие матчи по более ранним, и результат появится здесь.',
  noMatches: 'Измерено {day}: ни у одного матча не было достаточно более ранних.',
  measured:
    'Измерено {day}, с {from} по {to}: каждый матч предсказан только по матчам предыдущих дней. Матчей: {matches}. Турниров: {tournaments}.',
  withPrices: 'Матчи с коэффициентами: {matches}',
  withPublished: 'Матчи с прогнозом FiveThirtyEight: {matches}',
  publishedText:
    'FiveThirtyEight публиковал прогнозы по своим рейтингам SPI перед каждым матчем (CC BY 4.0). Наша модель их не знает; каждый её прогноз учитывает только матчи предыдущих дней.',
  allLeagues: 'Все',
  league: 'Лига',
  matches: 'Матчи',
  scoresLabel: 'Оценки моделей',
  model: 'Модель',
  overUnder: 'Больше/меньше 2,5',
  points: '{outcome}, п. п.',
  outcomes: { home: 'Победа хозяев', draw: 'Ничья', away: 'Победа гостей' },
  models: {
    base_rates: 'Базовые частоты',
    elo: 'Эло',
    poisson: 'Пуассон',
    calibrated: 'Калиброванная',
    bookmakers: 'Букмекеры',
    spi: 'FiveThirtyEight, SPI',
  },
  meaning: 'Что значат оценки',
  scores: [
    'RPS (ranked probability score) — 0 для идеального прогноза и 1 для худшего; ничья ближе к победе хозяев, чем победа гостей.',
    'Оценка Брайера и log-loss сравнивают вероятность каждого исхода с результатом. Меньше — лучше. «Больше/меньше 2,5» — log-loss для тотала больше 2,5 гола.',
    'П. п.: по десяти группам матчей с похожими прогнозами — насколько предсказанная частота отличается от наблюдаемой, в среднем, в процентных пунктах. На штриховой линии рисунка они равны.',
  ],
};

export const models: Record<Lang, typeof en> = { en, ru };
