/** The structure of a backtest report, and its rendering as Markdown that is readable as plain text. Pure. */
import type { ReliabilityBin } from './forecast-scores.ts';

/** The first column is left-aligned, the rest right-aligned. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** The parts are printed in the order of the members. */
export interface Report {
  title?: string;
  notes?: readonly string[];
  table?: Table;
  sections?: readonly Report[];
}

/** A column title, and a function that returns a value's cell. */
export type Column<T> = readonly [title: string, cell: (value: T) => string];

export const score = (value: number | null): string => (value === null ? '–' : value.toFixed(4));
export const percent = (value: number): string => (value * 100).toFixed(2);
export const count = (value: number): string => Math.round(value).toLocaleString('en');

export const toTable = <T>(columns: readonly Column<T>[], values: readonly T[]): Table => ({
  columns: columns.map(([title]) => title),
  rows: values.map((value) => columns.map(([, cell]) => cell(value))),
});

/**
 * @param counted title of the column with the bins' counts
 * @param observed title of the column with the observed share
 */
export const reliabilityTable = (bins: readonly ReliabilityBin[], counted: string, observed = 'Occurred'): Table =>
  toTable(
    [
      ['Predicted %', (bin) => percent(bin.predicted)],
      [`${observed} %`, (bin) => percent(bin.observed)],
      [counted, (bin) => count(bin.count)],
    ],
    bins,
  );

/** @returns the report's lines, without line endings */
export const reportLines = (report: Report): string[] =>
  toBlocks(report, 1).flatMap((block, index) => (index === 0 ? block : ['', ...block]));

/** Returns blocks of lines. A blank line is printed between two blocks. */
const toBlocks = ({ title, notes, table, sections = [] }: Report, level: number): (readonly string[])[] => [
  ...(title === undefined ? [] : [[`${'#'.repeat(level)} ${title}`]]),
  ...(notes === undefined ? [] : [notes]),
  ...(table === undefined ? [] : [tableLines(table)]),
  ...sections.flatMap((section) => toBlocks(section, level + 1)),
];

function tableLines({ columns, rows }: Table): string[] {
  const widths = columns.map((_, column) => Math.max(3, ...[columns, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = ([first = '', ...others]: readonly string[]) => {
    const [width = 0, ...otherWidths] = widths;
    return `| ${[first.padEnd(width), ...others.map((cell, index) => cell.padStart(otherWidths[index] ?? 0))].join(' | ')} |`;
  };
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(columns), `| ${rule.join(' | ')} |`, ...rows.map(line)];
}
