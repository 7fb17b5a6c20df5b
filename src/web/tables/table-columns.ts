/** Which columns a sport's tables have, and how cells are formatted. */
import type { z } from 'zod';
import type { standingsRow } from '../../competitions/schema.ts';
import type { Lang } from '../../http/index.ts';
import { COLUMN_HEADS } from '../../site/texts/index.ts';
import { findSport } from '../../sports/sports.ts';
import { type TableColumn, USUAL_COLUMNS } from '../../sports/table-defaults.ts';
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
  win_percentage: ({ win_percentage }, lang) =>
    win_percentage === null
      ? '—'
      : win_percentage.toLocaleString(lang, { minimumFractionDigits: 3 }).replace(/^0\./u, '.'),
  games_behind: ({ games_behind }, lang) => {
    if (games_behind === null || games_behind === 0) return '—';
    const text = Math.abs(games_behind).toLocaleString(lang, { minimumFractionDigits: 1 });
    return games_behind < 0 ? `+${text}` : text;
  },
  score_percentage: ({ scores_for, scores_against }, lang) =>
    scores_against === 0
      ? '—'
      : ((100 * scores_for) / scores_against).toLocaleString(lang, {
          minimumFractionDigits: 1,
          maximumFractionDigits: 1,
        }),
};

/** Columns that narrow screens show too. Wins and losses matter there only in tables without points, where they explain the order. */
const ALWAYS: readonly TableColumn[] = ['played', 'win_percentage', 'games_behind', 'score_percentage', 'points'];
const WITHOUT_POINTS: readonly TableColumn[] = ['wins', 'losses'];

/** @param sport the sport's slug; most sports use the default columns */
export function tableColumns(sport: string, lang: Lang): TableColumnView[] {
  const found = findSport(sport);
  const columns = found?.table.columns ?? USUAL_COLUMNS.filter((key) => key !== 'draws' || found?.draws !== false);
  const countsGoals = found?.score.countedBy === 'goal';
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
