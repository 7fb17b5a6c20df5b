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
  five_set_wins: ['W5', 'Wins in five sets, which give a point less'],
  five_set_losses: ['L5', 'Losses in five sets, which give a point'],
  win_percentage: ['Pct', 'Share of matches won'],
  games_behind: ['GB', 'Matches behind the leader'],
  goals_for: ['GF', 'Scored'],
  goals_against: ['GA', 'Conceded'],
  scores_for: ['F', 'Scored'],
  scores_against: ['A', 'Conceded'],
  goal_difference: ['±', 'Difference'],
  score_percentage: ['%', 'Points scored per 100 conceded'],
  no_results: ['NR', 'No result'],
  net_run_rate: ['NRR', 'Net run rate'],
  score_quotient: ['Q', 'Sets won for each set lost'],
  set_points_quotient: ['PQ', 'Points won in sets for each point lost'],
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
  five_set_wins: ['В5', 'Победы в пяти партиях, за которые дают на очко меньше'],
  five_set_losses: ['П5', 'Поражения в пяти партиях, за которые дают очко'],
  win_percentage: ['%В', 'Доля выигранных матчей'],
  games_behind: ['Отст.', 'Отставание от лидера в матчах'],
  goals_for: ['ЗМ', 'Забито'],
  goals_against: ['ПМ', 'Пропущено'],
  scores_for: ['З', 'Набрано'],
  scores_against: ['П', 'Пропущено'],
  goal_difference: ['±', 'Разница'],
  score_percentage: ['%', 'Набранные очки на 100 пропущенных'],
  no_results: ['БР', 'Без результата'],
  net_run_rate: ['ЧРР', 'Чистый рейтинг ранов (разница ранов за овер)'],
  score_quotient: ['СП', 'Соотношение выигранных и проигранных партий'],
  set_points_quotient: ['СО', 'Соотношение выигранных и проигранных очков в партиях'],
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
