/** Result lines. */
import { appendFileSync } from 'node:fs';

export const verdict = (met: boolean) => (met ? 'met' : 'MISSED');

export const line = (name: string, ...parts: string[]) =>
  console.log(`${name.padEnd(24)} ${parts.join('  ')}`.trimEnd());

/** A measured path, compared with a bound. */
export interface Row {
  path: string;
  /** Our figure, with the unit. */
  ours: string;
  /** The figure to compare with, including its unit. It comes from another server in the same run, or is an absolute goal. */
  bound: string;
  /** Our figure divided by the bound. */
  ratio: number;
  goal: number;
  /** Whether a larger ratio is better. */
  isRate?: boolean;
}

export const isMet = ({ ratio, goal, isRate = false }: Row) => (isRate ? ratio >= goal : ratio <= goal);

/** Returns the texts in a row's columns. */
export const columns = (row: Row): string[] => [
  row.path,
  row.ours,
  row.bound,
  row.ratio.toFixed(2),
  `${row.isRate ? '≥' : '≤'} ${row.goal}`,
  verdict(isMet(row)),
];

/** Prints a row. The file RESULTS, if set, gets it too, since `make bench-all` collects the rows of all benchmarks there. */
export function printRow(row: Row, note = ''): void {
  const [path, ours, bound, ratio, goal, met] = columns(row);
  line(path!.padEnd(34), ours!.padStart(12), bound!.padEnd(26), `ratio ${ratio}  goal ${goal}  ${met}`, note);
  if (process.env.RESULTS) appendFileSync(process.env.RESULTS, `${JSON.stringify(row)}\n`);
}

/** A figure that is compared with an absolute goal. */
interface Figure {
  value: number;
  goal: number;
  /** Unit as it follows the number, such as ` ms` or `/s`. */
  unit: string;
  digits?: number;
  isRate?: boolean;
}

/** Prints a row whose bound is the goal. */
export function printFigure(path: string, { value, goal, unit, digits = 0, isRate = false }: Figure, note = ''): void {
  const row = {
    path,
    ours: `${value.toFixed(digits)}${unit}`,
    bound: `goal ${goal}${unit}`,
    ratio: value / goal,
    goal: 1,
  };
  printRow({ ...row, isRate }, note);
}

/** @returns the median; for an even number of values, the higher of the two middle values */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** If a load client is busier than this, it may be the bottleneck itself. */
const CLIENT_BUSY = 0.9;

export function clientNote(busy: number): string {
  const note = `clients ${(busy * 100).toFixed(0)} % busy`;
  return busy > CLIENT_BUSY ? `${note}: THEY MAY BE THE LIMIT` : note;
}
