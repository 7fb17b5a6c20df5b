/** Texts about the win probability in Twenty20 cricket on the models page. Text in `backticks` is shown as code. */
import type { Lang } from '../../http/index.ts';

const en = {
  title: 'Twenty20 cricket by ball',
  text: 'The win probability follows from the runs of both sides, and from the runs that they can still expect from the balls and the wickets they have left (resources, as F. C. Duckworth and A. J. Lewis define them, J. Oper. Res. Soc. 49, 1998). A full innings is worth the mean of the last 60 full first innings of the tournament, a little more for the side with the higher Elo rating. The expected margin is divided by the root of the resources that are left (H. S. Stern, J. Am. Stat. Assoc. 89, 1994). A revised target counts with its overs. A tie counts half for each side, because a super over decides it. Other forms of the game have no win probability.',
  origin: 'The parameters were fitted to {matches} matches with {balls} balls from {from} to {to}: {tournaments}.',
  notMeasured: 'Not measured yet. `touchline backtest --innings` shows the result here.',
  noMatches: 'Measured on {day}: no Twenty20 match had a winner and all deliveries.',
  measured:
    'Measured on {day}, on {matches} matches from {from} to {to}: the chance that the side batting first wins, after each ball that has not decided the match. Smaller is better.',
  label: 'Scores by part of the match',
  parts: { start: 'Before the first ball', first: 'First innings', second: 'Second innings', all: 'All balls' },
  forecasts: 'Forecasts',
  model: 'Model',
  elo: 'Elo only',
  batting_first: 'Rate of sides batting first',
  even: '50 %',
  plot: 'Calibration after each ball',
};

const ru: typeof en = {
  title: 'Крикет Twenty20 по мячам',
  text: 'Вероятность победы следует из ранов обеих команд и из ранов, которых ещё можно ждать от оставшихся мячей и калиток (ресурсы, как их определили F. C. Duckworth и A. J. Lewis, J. Oper. Res. Soc. 49, 1998). Полный иннингс стоит среднего из последних 60 полных первых иннингсов турнира, чуть больше — у команды с более высоким рейтингом Эло. Ожидаемая разница делится на корень из оставшихся ресурсов (H. S. Stern, J. Am. Stat. Assoc. 89, 1994). Пересмотренная цель считается со своими оверами. Равный счёт — по половине каждой команде, потому что его решает супер-овер. У других форм игры вероятности победы нет.',
  origin: 'Параметры подобраны по матчам ({matches}, мячей: {balls}) с {from} по {to}: {tournaments}.',
  notMeasured: 'Ещё не измерено. `touchline backtest --innings` покажет результат здесь.',
  noMatches: 'Измерено {day}: ни у одного матча Twenty20 не было победителя и всех подач.',
  measured:
    'Измерено {day} на матчах ({matches}) с {from} по {to}: вероятность победы команды, отбивающей первой, после каждого мяча, который не решил матч. Меньше — лучше.',
  label: 'Оценки по частям матча',
  parts: { start: 'До первого мяча', first: 'Первый иннингс', second: 'Второй иннингс', all: 'Все мячи' },
  forecasts: 'Прогнозы',
  model: 'Модель',
  elo: 'Только Эло',
  batting_first: 'Доля побед отбивающих первыми',
  even: '50 %',
  plot: 'Калибровка после каждого мяча',
};

export const INNINGS_MODEL: Record<Lang, typeof en> = { en, ru };
