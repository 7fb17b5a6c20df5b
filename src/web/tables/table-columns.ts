/** Which columns a sport's tables have, and how cells are formatted. */
import type { z } from 'zod';
import type { standingsRow } from '../../competitions/schema.ts';
import type { Lang } from '../../http/index.ts';
import { COLUMN_HEADS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { PERCENTAGE_COLUMNS, type TableColumn, USUAL_COLUMNS } from '../../sports/table-defaults.ts';
import { figureNames } from '../sport-figures.ts';

type Row = z.infer<typeof standingsRow>;

export interface TableColumnView {
  key: TableColumn;
  head: readonly [short: string, long: string];
  /** Whether the column is hidden on narrow screens. */
  wide: boolean;
  cell(row: Row): string;
}

const signed = (value: number) => (value > 0 ? `+${value}` : String(value).replace('-', '−'));

const CELLS: Partial<Record<TableColumn, (row: Row, lang: Lang) => string>> = {
  goal_difference: (row) => signed(row.goal_difference),
  regulation_losses: (row) => String(row.losses - row.overtime_losses),
  five_set_wins: (row) => String(row.overtime_wins),
  five_set_losses: (row) => String(row.overtime_losses),
  win_percentage: ({ win_percentage }, lang) =>
    win_percentage === null
      ? '—'
      : win_percentage.toLocaleString(lang, { minimumFractionDigits: 3 }).replace(/^0\./u, '.'),
  games_behind: ({ games_behind }, lang) => {
    if (games_behind === null || games_behind === 0) return '—';
    const text = Math.abs(games_behind).toLocaleString(lang, { minimumFractionDigits: 1 });
    return games_behind < 0 ? `+${text}` : text;
  },
  net_run_rate: ({ net_run_rate }, lang) => {
    if (net_run_rate === null) return '—';
    const text = Math.abs(net_run_rate).toLocaleString(lang, { minimumFractionDigits: 3 });
    return net_run_rate < 0 ? `−${text}` : `+${text}`;
  },
  score_percentage: ({ scores_for, scores_against }, lang) => quotient(100 * scores_for, scores_against, lang, 1),
  score_quotient: ({ scores_for, scores_against }, lang) => quotient(scores_for, scores_against, lang, 3),
  set_points_quotient: ({ set_points_for, set_points_against }, lang) =>
    quotient(set_points_for ?? 0, set_points_against ?? 0, lang, 3),
};

const quotient = (won: number, lost: number, lang: Lang, digits: number) =>
  lost === 0
    ? '—'
    : (won / lost).toLocaleString(lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Columns that narrow screens show too. Wins and losses matter there only in tables without points, where they explain the order. */
const ALWAYS: readonly TableColumn[] = [
  'played',
  'win_percentage',
  'games_behind',
  'score_percentage',
  'net_run_rate',
  'points',
];
const WITHOUT_POINTS: readonly TableColumn[] = ['wins', 'losses'];

/**
 * Returns the columns for a table. Leagues in a sport may rank sides by percentage, or may have had other rules for overtime.
 * Then their rows show it.
 */
function chooseColumns(sport: string, rows: readonly Row[]): readonly TableColumn[] {
  const found = findSport(sport);
  const columns = found?.table.columns ?? USUAL_COLUMNS.filter((key) => key !== 'draws' || found?.draws !== false);
  if (!columns.includes('games_behind') && rows.some(({ games_behind }) => games_behind !== null))
    return PERCENTAGE_COLUMNS;
  if (!columns.includes('overtime_losses') || columns.includes('draws') || !rows.some(({ draws }) => draws > 0))
    return columns;
  // With draws, a loss in overtime either had a point, or was a loss like any other.
  const isPlain = rows.every(
    ({ wins, draws, points, points_deducted }) => points + points_deducted === 2 * wins + draws,
  );
  return isPlain ? WITH_DRAWS : WITH_DRAWS.flatMap((key) => (key === 'losses' ? OVERTIME_LOSSES : [key]));
}

const WITH_DRAWS: readonly TableColumn[] = [
  'played',
  'wins',
  'losses',
  'draws',
  'scores_for',
  'scores_against',
  'goal_difference',
  'points',
];
const OVERTIME_LOSSES = ['regulation_losses', 'overtime_losses'] as const;

/** @param sport the sport's slug; most sports use the default columns @param rows the table's rows */
export function tableColumns(sport: string, lang: Lang, rows: readonly Row[]): TableColumnView[] {
  const columns = chooseColumns(sport, rows);
  const countsGoals = findSport(sport)?.score.countedBy === 'goal';
  const narrow: readonly TableColumn[] = [
    ...ALWAYS,
    ...(columns.includes('points') ? (['goal_difference'] as const) : WITHOUT_POINTS),
  ];
  return columns.map((key) => {
    const cell = CELLS[key];
    const goals = countsGoals && (key === 'scores_for' || key === 'scores_against');
    return {
      key,
      head:
        key === 'draws'
          ? figureNames('draws', sport, lang)
          : COLUMN_HEADS[lang][goals ? (key === 'scores_for' ? 'goals_for' : 'goals_against') : key],
      wide: !narrow.includes(key),
      cell: (row) => cell?.(row, lang) ?? String(row[key as keyof Row] ?? '—'),
    };
  });
}
