/** Column heads for tables in both languages, each in a short and a long form. */
import type { Lang } from '../../http/index.ts';

type Heads = Record<string, readonly [short: string, long: string]>;

const en = {
  played: ['M', 'Matches'],
  wins: ['W', 'Wins'],
  draws: ['D', 'Draws'],
  losses: ['L', 'Losses'],
  regulation_losses: ['L', 'Losses in regular time'],
  overtime_wins: ['OTW', 'Wins after overtime or a shoot-out'],
  overtime_losses: ['OTL', 'Losses after overtime or a shoot-out'],
  win_percentage: ['Pct', 'Share of matches won'],
  games_behind: ['GB', 'Matches behind the leader'],
  goals_for: ['GF', 'Scored'],
  goals_against: ['GA', 'Conceded'],
  scores_for: ['F', 'Scored'],
  scores_against: ['A', 'Conceded'],
  goal_difference: ['±', 'Difference'],
  score_percentage: ['%', 'Points scored per 100 conceded'],
  bonus_points: ['B', 'Bonus points'],
  points: ['Pts', 'Points'],
} satisfies Heads;

const ru: Record<keyof typeof en, readonly [short: string, long: string]> = {
  played: ['М', 'Матчи'],
  wins: ['В', 'Победы'],
  draws: ['Н', 'Ничьи'],
  losses: ['П', 'Поражения'],
  regulation_losses: ['П', 'Поражения в основное время'],
  overtime_wins: ['ВО', 'Победы в овертайме или по буллитам'],
  overtime_losses: ['ПО', 'Поражения в овертайме или по буллитам'],
  win_percentage: ['%В', 'Доля выигранных матчей'],
  games_behind: ['Отст.', 'Отставание от лидера в матчах'],
  goals_for: ['ЗМ', 'Забито'],
  goals_against: ['ПМ', 'Пропущено'],
  scores_for: ['З', 'Набрано'],
  scores_against: ['П', 'Пропущено'],
  goal_difference: ['±', 'Разница'],
  score_percentage: ['%', 'Набранные очки на 100 пропущенных'],
  bonus_points: ['Б', 'Бонусные очки'],
  points: ['О', 'Очки'],
};

export const COLUMN_HEADS: Record<Lang, Record<keyof typeof en, readonly [short: string, long: string]>> = { en, ru };
/** Names for the groupings of a season's tables. */
export const GROUPING_NAMES: Record<
  Lang,
  Record<'division' | 'conference' | 'league' | 'wild_card' | 'overall', string>
> = {
  en: {
    division: 'Divisions',
    conference: 'Conferences',
    league: 'Leagues',
    wild_card: 'Wild card',
    overall: 'Overall',
  },
  ru: { division: 'Дивизионы', conference: 'Конференции', league: 'Лиги', wild_card: 'Уайлд-кард', overall: 'Общая' },
};
