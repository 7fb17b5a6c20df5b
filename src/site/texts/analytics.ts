/** Texts for pre-match analytics and number formats, in both languages. */
import type { Lang } from '../../http/index.ts';

const en = {
  loading: 'The history of matches is being loaded. Analytics will appear when that is done.',
  late: 'This takes longer than usual. It appears here as soon as it is ready.',
  none: 'Neither earlier meetings nor recent matches of the two sides are known.',
  forecast: 'Forecast',
  forecastBefore: 'Forecast before the match',
  compare: 'How it compares',
  heatMap: 'Chances of each score, %',
  heatMapText: 'Rows: goals of {home}; columns: goals of {away}.',
  basicModel: 'Basic model',
  basicModelText:
    'For comparison: it looks only at the goals that both teams scored and conceded, one at home and the other away.',
  basicModelNeutral:
    'For comparison: it looks only at the goals that both teams scored and conceded, and does not know that the venue is neutral.',
  draw: 'Draw',
  levelAfterRegulation: 'Level after regulation',
  rating: 'Elo rating',
  ratedMatches: 'Rated matches',
  ratingHomeAdvantage: 'Playing at home is worth {points} points.',
  ratingNeutral: 'Nobody plays at home.',
  ratingText: 'The chances follow from the ratings alone: earlier results, without line-ups or injuries.',
  ratingMargin: 'Expected margin: {team} by {points}.',
  ratingAssumed: 'The parameters of this sport are assumptions.',
  expectedGoals: 'Expected goals',
  goalsScored: 'Goals scored',
  likelyScores: 'Likely scores',
  over25: 'Over 2.5 goals',
  bothScore: 'Both teams score',
  bothScored: 'Both teams scored',
  happened: 'happened',
  didNotHappen: 'did not happen',
  meetings: 'Earlier meetings',
  form: 'Form',
  formBefore: 'Form before the match',
  formOf: 'This season of {tournament}.',
  newestLeft: 'The newest match is on the left.',
  shootOutDraws: 'Matches decided on penalties count as draws.',
  latestOf: 'Latest matches of {team}, the newest first',
  atHome: 'At home',
  away: 'Away',
  pointsPerMatch: 'Points per match',
  tablePointsPerMatch: 'Table points per match',
  wonShare: 'Matches won',
  cleanSheets: 'Clean sheets',
  cardsPerMatch: 'Cards per match',
  standing: 'Table',
  standingBefore: 'Table before the match',
  position: 'Position',
  team: 'Team',
  played: 'Played',
  playedShort: 'P',
  goals: 'Goals',
  scoredAndConceded: 'Scored',
  points: 'Points',
  pointsShort: 'Pts',
  trends: 'Trends',
  trendsBefore: 'Trends before the match',
};

const ru: typeof en = {
  loading: 'История матчей ещё загружается. Аналитика появится, когда загрузка закончится.',
  late: 'Расчёт идёт дольше обычного. Результат появится здесь, как только будет готов.',
  none: 'Ни прошлые встречи, ни последние матчи сторон неизвестны.',
  forecast: 'Прогноз',
  forecastBefore: 'Прогноз перед матчем',
  compare: 'Сравнение моделей',
  heatMap: 'Вероятность каждого счёта, %',
  heatMapText: 'Строки: голы команды {home}, столбцы: голы команды {away}.',
  basicModel: 'Базовая модель',
  basicModelText:
    'Для сравнения: она смотрит только на забитые и пропущенные голы, у одной команды дома, у другой в гостях.',
  basicModelNeutral:
    'Для сравнения: она смотрит только на забитые и пропущенные голы обеих команд и не знает, что поле нейтральное.',
  draw: 'Ничья',
  levelAfterRegulation: 'Ничья в основное время',
  rating: 'Рейтинг Эло',
  ratedMatches: 'Учтено матчей',
  ratingHomeAdvantage: 'Игра дома даёт {points} очков рейтинга.',
  ratingNeutral: 'Дома не играет никто.',
  ratingText: 'Вероятности следуют только из рейтингов: из прошлых результатов, без составов и травм.',
  ratingMargin: 'Ожидаемая разница: {team}, {points}.',
  ratingAssumed: 'Параметры для этого вида спорта — допущения.',
  expectedGoals: 'Ожидаемые голы',
  goalsScored: 'Забито',
  likelyScores: 'Вероятный счёт',
  over25: 'Больше 2,5 гола',
  bothScore: 'Забьют обе команды',
  bothScored: 'Забили обе команды',
  happened: 'сбылось',
  didNotHappen: 'не сбылось',
  meetings: 'Прошлые встречи',
  form: 'Форма',
  formBefore: 'Форма перед матчем',
  formOf: 'Турнир «{tournament}», этот сезон.',
  newestLeft: 'Последний матч слева.',
  shootOutDraws: 'Матчи, решённые в серии пенальти, считаются ничьими.',
  latestOf: 'Последние матчи команды {team}, сначала новые',
  atHome: 'Дома',
  away: 'В гостях',
  pointsPerMatch: 'Очков за матч',
  tablePointsPerMatch: 'Очков в таблице за матч',
  wonShare: 'Доля побед',
  cleanSheets: 'Матчи на ноль',
  cardsPerMatch: 'Карточек за матч',
  standing: 'Таблица',
  standingBefore: 'Таблица перед матчем',
  position: 'Место',
  team: 'Команда',
  played: 'Матчи',
  playedShort: 'М',
  goals: 'Мячи',
  scoredAndConceded: 'Счёт',
  points: 'Очки',
  pointsShort: 'О',
  trends: 'Тенденции',
  trendsBefore: 'Тенденции перед матчем',
};

export const analytics: Record<Lang, typeof en> = { en, ru };

export type OutcomeLetter = 'W' | 'D' | 'L';

/** Letter for each outcome, and its name for screen readers. Some sports call a draw a tie. */
export const OUTCOMES: Record<Lang, Record<OutcomeLetter | 'tie', { letter: string; name: string }>> = {
  en: {
    W: { letter: 'W', name: 'Win' },
    D: { letter: 'D', name: 'Draw' },
    tie: { letter: 'T', name: 'Tie' },
    L: { letter: 'L', name: 'Loss' },
  },
  ru: {
    W: { letter: 'В', name: 'Победа' },
    D: { letter: 'Н', name: 'Ничья' },
    tie: { letter: 'Н', name: 'Ничья' },
    L: { letter: 'П', name: 'Поражение' },
  },
};

/** @param form outcome letters, such as `WWDL` */
export const outcomeTexts = (form: string): OutcomeLetter[] =>
  [...form].filter((letter): letter is OutcomeLetter => 'WDL'.includes(letter));

type Noun = 'match' | 'win' | 'draw' | 'loss';
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
const COUNTED: Record<Lang, Record<Noun, PluralForms>> = {
  en: {
    match: { one: 'match', other: 'matches' },
    win: { one: 'win', other: 'wins' },
    draw: { one: 'draw', other: 'draws' },
    loss: { one: 'loss', other: 'losses' },
  },
  ru: {
    match: { one: 'матч', few: 'матча', other: 'матчей' },
    win: { one: 'победа', few: 'победы', other: 'побед' },
    draw: { one: 'ничья', few: 'ничьи', other: 'ничьих' },
    loss: { one: 'поражение', few: 'поражения', other: 'поражений' },
  },
};
const PLURALS = { en: new Intl.PluralRules('en'), ru: new Intl.PluralRules('ru') };

/** Chooses the plural form for the noun that follows a number. */
export function nounAfter(count: number, noun: Noun, lang: Lang): string {
  const forms = COUNTED[lang][noun];
  return forms[PLURALS[lang].select(count)] ?? forms.other;
}

/** Formats a number with two decimals. */
export const decimalText = (value: number, lang: Lang): string =>
  value.toLocaleString(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Formats a whole percentage. Only an impossible outcome is shown as 0, and only a certain one as 100. */
export function percentText(percent: number): string {
  const whole = Math.round(percent);
  if (whole === 0 && percent > 0) return '<\u00a01\u00a0%';
  if (whole === 100 && percent < 100) return '>\u00a099\u00a0%';
  return `${whole}\u00a0%`;
}

const DATES = {
  en: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }),
  // The month is a number. With the month as a word, the date would end in "г.".
  ru: new Intl.DateTimeFormat('ru', { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' }),
};

/** @param date YYYY-MM-DD @example 4 May 2025, 04.05.2025 */
export const dateText = (date: string, lang: Lang): string => DATES[lang].format(new Date(`${date}T00:00:00Z`));
